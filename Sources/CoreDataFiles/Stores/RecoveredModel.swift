// A model from a Core Data file, and what the file does not specify.
public import CoreDataModel
internal import ObjectGraph
internal import SQLiteDriver

/// A model read from a model file or a store.
///
/// ```swift
/// let recovered = try RecoveredModel(modelFileAt: "MyApp.xcdatamodeld")
/// for remark in recovered.remarks { print(remark) }
/// let container = PersistentContainer(
///   managedObjectModel: recovered.model, store: PersistentStoreDescription(path: "quakes.sqlite"))
/// ```
public struct RecoveredModel: Sendable {
  /// Where a model was found.
  ///
  /// ```swift
  /// if recovered.origin == .schema {
  ///   for remark in recovered.remarks { print(remark) }  // what tables alone leave open
  /// }
  /// ```
  public enum Origin: String, Sendable, Hashable, Codable {
    /// A `.xcdatamodel`, or the current version in a `.xcdatamodeld`.
    case modelFile = "model file"
    /// The copy of the model that Core Data keeps in a store since 2015.
    case modelCache = "model cache"
    /// The tables of a store that has no copy of its model.
    case schema
  }

  /// The model, fully checked.
  public var model: ManagedObjectModel
  /// Where the model was found.
  public var origin: Origin
  /// What the file does not specify or this library does not support, in whole sentences that name entity and property.
  public var remarks: [String]

  /// Creates a value for a model from another source.
  ///
  /// ```swift
  /// let mine = RecoveredModel(model: recovered.model, origin: .modelFile)
  /// let file = try StoreFile(path: "MyApp.sqlite", model: mine)
  /// ```
  public init(model: ManagedObjectModel, origin: Origin, remarks: [String] = []) {
    self.model = model
    self.origin = origin
    self.remarks = remarks
  }
}

extension RecoveredModel {
  /// The largest size of a decompressed model: a model of twenty entities has 70,000 bytes.
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
  /// - Throws: ``CoreDataFileError/invalid(path:found:expected:)`` if the bytes contain no model.
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

extension RecoveredModel {
  /// Reads the model of a store that Core Data wrote in any year.
  ///
  /// The store and the files beside it do not change.
  ///
  /// Since 2015 a store contains a copy of its model. If it is missing or unreadable, entities and inheritance come
  /// from `Z_PRIMARYKEY`, and properties from columns, indexes and join tables; ``remarks`` list what these do not
  /// specify.
  ///
  /// ```swift
  /// let recovered = try RecoveredModel(storeAt: "MyApp.sqlite")
  /// print(recovered.origin, recovered.model.entities.map(\.name))
  /// ```
  ///
  /// - Parameter path: The store's file.
  /// - Throws: ``CoreDataFileError`` if the file is not an intact store.
  public init(storeAt path: String) throws(CoreDataFileError) { self = try RecoveredModel(StoreImage(path: path)) }

  /// Reads the model of an open store.
  package init(_ image: StoreImage) throws(CoreDataFileError) {
    let (isStore, cache) = try image.read { (connection) throws(SQLiteError) -> (Bool, [UInt8]?) in
      let file = try StoreTables(connection)
      guard file.isStore, file.column("Z_CONTENT", of: "Z_MODELCACHE") != nil else { return (file.isStore, nil) }
      let statement = try connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1", isPersistent: false)
      return (true, try statement.step() ? statement.bytes(0).map { Array($0) } : nil)
    }
    if !isStore { throw .noStore(image.path, found: "an SQLite database without these tables") }
    var remarks = image.remarks
    if let cache, !cache.isEmpty {
      do throws(CoreDataFileError) {
        self = try RecoveredModel(modelCache: cache, path: image.path)
        self.remarks = remarks + self.remarks
        return
      } catch {
        remarks.append(
          "The store's copy of its model cannot be read (\(error)); the model is put together from its tables.")
      }
    }
    var schema = try SchemaModel(image)
    self = try schema.recovered()
    self.remarks = remarks + self.remarks
  }
}
