// Reads the model from a model file: finds the current version and its XML.
internal import CoreDataModel
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension RecoveredModel {
  /// Reads a model in Xcode's format: a `.xcdatamodel`, the current version in a `.xcdatamodeld`, or the file
  /// `contents` in one of them.
  ///
  /// Parts that this library does not support, such as fetched properties and composite attributes, are omitted with a
  /// remark.
  ///
  /// ```swift
  /// let recovered = try RecoveredModel(modelFileAt: "MyApp.xcdatamodeld")
  /// let coordinator = PersistentStoreCoordinator(managedObjectModel: recovered.model)
  /// ```
  ///
  /// - Throws: ``CoreDataFileError`` if the file cannot be read or is not a model.
  public init(modelFileAt path: String) throws(CoreDataFileError) {
    let contents = try ModelPackage.contents(path)
    let data = try ModelPackage.read(contents, limit: .model)
    do throws(MalformedContent) {
      self = try RecoveredModel(xml: data)
    } catch {
      throw error.inFile(contents)
    }
  }

  /// Reads the XML of a model file.
  init(xml data: Data) throws(MalformedContent) {
    var file = ModelFile(try ModelElement(xml: data))
    self = try file.read().recovered(.modelFile)
  }
}

/// Finds the XML in a model's folder.
private enum ModelPackage {
  private static let currentVersionFile = ".xccurrentversion"
  /// A property list with one entry has 300 bytes.
  private static let versionLimit = InputFile.Limit(bytes: 4_096)

  private struct CurrentVersion: Decodable {
    let name: String?

    enum CodingKeys: String, CodingKey { case name = "_XCCurrentVersionName" }
  }

  /// The path of the file `contents`.
  static func contents(_ path: String) throws(CoreDataFileError) -> String {
    guard let names = try namesInFolder(path) else { return path }
    if names.contains("contents") { return inside(path, "contents") }
    if names.contains("elements") {
      throw .invalid(
        path: path, found: "a model of Xcode 3", expected: "one that Xcode 4 or later saved, with the file contents")
    }
    let version = try currentVersion(of: path, among: names.filter { $0.hasSuffix(".xcdatamodel") }.sorted())
    return inside(inside(path, version), "contents")
  }

  private static func currentVersion(
    of path: String, among versions: [String]
  ) throws(CoreDataFileError) -> String {
    guard let first = versions.first else {
      throw .invalid(
        path: path, found: "a folder without a model", expected: "a .xcdatamodel, or a .xcdatamodeld with one in it")
    }
    let file = inside(path, currentVersionFile)
    guard FileManager.default.fileExists(atPath: file) else {
      if versions.count == 1 { return first }
      throw .invalid(
        path: path, found: "\(versions.count) versions of a model and no \(currentVersionFile)",
        expected: "one of them: \(versions.joined(separator: ", "))")
    }
    let data = try read(file, limit: versionLimit)
    guard !Nesting.isTooDeep(xml: Array(data)),
      let name = (try? PropertyListDecoder().decode(CurrentVersion.self, from: data))?.name
    else {
      throw .invalid(
        path: file, found: "other content", expected: "a property list with _XCCurrentVersionName, the current version")
    }
    guard versions.contains(name) else {
      throw .invalid(
        path: file, found: "the current version \(name.debugDescription), which is not there",
        expected: "one of them: \(versions.joined(separator: ", "))")
    }
    return name
  }

  /// The names in a folder; `nil` if it is not a folder.
  private static func namesInFolder(_ path: String) throws(CoreDataFileError) -> [String]? {
    guard FileKind(at: path) == .folder else { return nil }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw .unreadable(path: path, reason: "the folder does not open")
    }
  }

  static func read(_ path: String, limit: InputFile.Limit) throws(CoreDataFileError) -> Data {
    do {
      return Data(try InputFile.bytes(of: path, limit: limit))
    } catch {
      throw switch error {
      case .kind, .tooLong: .invalid(path: path, found: error.found, expected: error.expected("a model"))
      case .system, .standardInput, .changed: .unreadable(path: path, reason: error.reason)
      }
    }
  }

  private static func inside(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}
