// Inspects a store.
internal import ObjectGraph
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension StoreInspection {
  /// Inspects a store that Core Data or this library wrote.
  ///
  /// The file and the files beside it do not change.
  ///
  /// It reads the whole file, and takes time proportional to the number of rows.
  ///
  /// ```swift
  /// let inspection = try StoreInspection(of: "MyApp.sqlite")
  /// try JSONEncoder().encode(inspection).write(to: URL(filePath: "inspection.json"))
  /// ```
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - withValues: Whether to report on the values in the rows.
  /// - Throws: ``CoreDataFileError`` if the file is not an intact store.
  public init(of path: String, withValues: Bool = false) throws(CoreDataFileError) {
    let image = try StoreImage(path: path)
    let recovered = try RecoveredModel(image)
    self = try image.read { (connection) throws(SQLiteError) in
      try StoreInspection(connection, recovered, path: path, withValues: withValues)
    }
    if let entity = entities.first(where: { $0.table == nil }) {
      throw .invalid(
        path: path, found: "a store without the table of its entity \(entity.name)",
        expected: "a table for every entity of its model")
    }
  }

  /// Inspects an opened store.
  ///
  /// - Parameters:
  ///   - connection: A connection that reads the store.
  ///   - recovered: The store's model.
  ///   - path: The file to report, which differs from the connection's if that is a copy.
  ///   - withValues: Whether to report on the values in the rows.
  /// - Throws: SQLite's error for the file.
  init(
    _ connection: Connection, _ recovered: RecoveredModel, path: String, withValues: Bool
  ) throws(SQLiteError) {
    let complaints = try connection.integrityComplaints()
    if let complaint = complaints.first(where: \.isOfRepeatedPage) {
      // With repeated pages, the same rows may appear twice or forever, so they cannot be counted.
      throw SQLiteError(extendedCode: .corrupt, message: complaint)
    }
    // Resolve links: the files beside a link do not belong to the store.
    let file = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    let properties = try MetadataState(of: connection)
    let store = try InspectedStore(connection, recovered, hashedEntities: properties.metadata?.hashedEntities ?? [])
    self.file = try store.file(at: file, named: path)
    writeAheadLog = WriteAheadLog(besideStoreAt: file)
    metadata = try store.metadata(properties.metadata)
    model = Model(origin: recovered.origin, remarks: recovered.remarks)
    let inspection = try EntityInspection(store, withValues: withValues)
    entities = try inspection.entities()
    joinTables = try store.joinTables()
    sizes = try store.sizes(pages: self.file.pages)
    history = try store.history(sizes)
    anomalies = []
    anomalies = try Anomalies(
      store: store, inspection: self, metadata: properties, complaints: complaints, rows: inspection.rows,
      journalBytes: InspectedFile(file + "-journal")?.bytes
    ).all()
  }
}

extension Connection {
  /// The problems that SQLite's check of the whole file finds; the first twenty, one line each.
  func integrityComplaints() throws(SQLiteError) -> [String] {
    let found = try texts("PRAGMA integrity_check(20)")
    if found == ["ok"] { return [] }
    var complaints: [String] = []
    for line in found.joined(separator: "\n").split(separator: "\n") where !line.hasPrefix("***") {
      complaints.append(String(line.last == "." ? line.dropLast() : line))
    }
    return complaints
  }
}

extension String {
  /// Whether SQLite found a page that is used twice, so that reading its rows might never end.
  var isOfRepeatedPage: Bool { contains("2nd reference to page") }
}
