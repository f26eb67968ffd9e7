// Checks whether a store's file is intact and its rows form a valid object graph.
public import ObjectGraph
internal import CoreDataModel
internal import SQLiteDriver

/// The result of checking a store: damage to the file, and rows that break the rules of an object graph.
///
/// ```swift
/// let inspection = try IntegrityInspection(of: "MyApp.sqlite")
/// for breach in inspection.integrity?.breaches ?? [] { print(breach) }
/// print(inspection.isSound)
/// ```
public struct IntegrityInspection: Sendable, Hashable, Codable {
  /// The version of the encoded form; readers of other versions cannot read it.
  public static let currentSchemaVersion = 1

  /// The version in which the inspection was encoded.
  public var schemaVersion = IntegrityInspection.currentSchemaVersion
  /// The file's name without its folder.
  public var file: String
  /// The model whose rules were checked; `nil` if the file is too damaged to have one.
  public var model: StoreInspection.Model?
  /// The integrity of the rows; `nil` if the file is too damaged to check.
  public var integrity: StoreIntegrity?
  /// What is wrong with the file itself, as noun phrases or SQLite's messages, twenty at most.
  public var damage: [String] = []

  /// Whether the file is intact and no rule is broken.
  public var isSound: Bool { damage.isEmpty && integrity?.isSound == true }

  /// Checks a store that Core Data or this library wrote.
  ///
  /// The file and the files beside it do not change.
  ///
  /// It reads the whole file. Damage is reported, not thrown.
  ///
  /// A store that this library wrote has no copy of its model, and its tables do not show which relationships are
  /// required and which are one-to-one. To check these rules, too, pass the model.
  ///
  /// ```swift
  /// let model = try RecoveredModel(modelFileAt: "MyApp.xcdatamodeld")
  /// let inspection = try IntegrityInspection(of: "MyApp.sqlite", model: model)
  /// if !inspection.isSound { print(inspection.damage, inspection.integrity?.breaches ?? []) }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - model: The model whose rules to check; `nil` for the model recovered from the store.
  /// - Throws: ``CoreDataFileError`` for a file that is not a store or cannot be read, and for an intact store that
  ///   does not fit the given model.
  public init(of path: String, model: RecoveredModel? = nil) throws(CoreDataFileError) {
    file = String(path.split(separator: "/").last ?? "")
    do throws(CoreDataFileError) {
      let image = try StoreImage(path: path)
      let isStore = try image.read { (connection) throws(SQLiteError) in try StoreTables(connection).isStore }
      if !isStore { throw CoreDataFileError.noStore(path, found: "an SQLite database without these tables") }
      damage = try image.read { (connection) throws(SQLiteError) in try connection.integrityComplaints() }
      // With repeated pages, the same rows may appear twice or forever, so checking them is pointless.
      if !damage.contains(where: \.isOfRepeatedPage) { try askRows(image, model) }
    } catch .damaged(_, let found) {
      damage.append(found)
    }
  }

  /// Checks the rows against the given model or the store's own; a store that does not fit its own model is damaged.
  private mutating func askRows(_ image: StoreImage, _ given: RecoveredModel?) throws(CoreDataFileError) {
    do throws(CoreDataFileError) {
      var recovered = if let given { given } else { try RecoveredModel(image) }
      if given != nil { recovered.remarks = image.remarks + recovered.remarks }
      model = StoreInspection.Model(origin: recovered.origin, remarks: recovered.remarks)
      let file = try StoreFile(image, recovered)
      do throws(ObjectGraphError) {
        integrity = try file.coordinator.integrity()
        try file.close()
      } catch {
        throw CoreDataFileError(error, path: image.path)
      }
    } catch .invalid(let path, let found, let expected) {
      // If the file is intact, the given model does not fit.
      if given != nil, damage.isEmpty { throw .invalid(path: path, found: found, expected: expected) }
      throw .damaged(path: path, found: found)
    }
  }
}
