// The model in a store's own copy of it, which Core Data keeps in Z_MODELCACHE since 2015.
internal import CoreDataModel

extension RecoveredModel {
  /// The most bytes that a model can have when it is decompressed: a model of twenty entities has 70,000.
  static let mostArchiveBytes = 16 << 20

  /// Reads the content of a store's `Z_MODELCACHE`.
  ///
  /// The content is a keyed archive of the model, compressed as raw DEFLATE (24 stores from 2015 to 2025). Time and
  /// memory are linear in the size of the archive.
  ///
  /// ```swift
  /// if let bytes = FileManager.default.contents(atPath: "model-cache.bin") {
  ///   let recovered = try RecoveredModel(modelCache: bytes, path: "MyApp.sqlite")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - bytes: The value of the column `Z_CONTENT`.
  ///   - path: The store's path, for errors.
  /// - Throws: ``CoreDataFileError/invalid(path:found:expected:)`` when there is no model in the bytes.
  public init(modelCache bytes: some Sequence<UInt8>, path: String) throws(CoreDataFileError) {
    do throws(MalformedContent) {
      let archive = try RawDeflate.inflate(Array(bytes), limit: RecoveredModel.mostArchiveBytes)
      self = try RecoveredModel(archive: archive)
    } catch {
      throw CoreDataFileError.invalid(
        path: path, found: "in the model that the store keeps of itself, \(error.found)", expected: error.expected)
    }
  }

  /// Reads a keyed archive of a model.
  init(archive bytes: [UInt8]) throws(MalformedContent) {
    var model = try ArchivedModel(KeyedArchive(PropertyList(binary: bytes)))
    self = try model.read().recovered(.modelCache)
  }
}
