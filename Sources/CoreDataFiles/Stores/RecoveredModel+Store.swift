// The model of a store: the copy that Core Data keeps in the store, else what the tables show.
internal import ObjectGraph
internal import SQLiteDriver

extension RecoveredModel {
  /// Reads the model of a store that Core Data wrote, of whatever year; the store and what lies beside it stay as they are.
  ///
  /// Since 2015 a store carries a copy of its model. Without one, or where it cannot be read, entities and inheritance
  /// come from `Z_PRIMARYKEY` and properties from columns, indexes and join tables; ``remarks`` say what these leave open.
  ///
  /// ```swift
  /// let recovered = try RecoveredModel(storeAt: "MyApp.sqlite")
  /// print(recovered.origin, recovered.model.entities.map(\.name))
  /// ```
  ///
  /// - Parameter path: The store's file.
  /// - Throws: ``CoreDataFileError`` for what is not a whole store.
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
