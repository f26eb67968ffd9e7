// Inspects the file, its metadata, its use of space, and its history.
internal import ObjectGraph
internal import SQLiteDriver

extension InspectedStore {
  /// The shape of the file at a path, which may differ from the connection's file if that is a copy; `name` is
  /// reported.
  func file(at path: String, named name: String) throws(SQLiteError) -> StoreInspection.File {
    let file = InspectedFile(path)
    let header = file?.read(20, at: 0) ?? []
    func number(_ pragma: String) throws(SQLiteError) -> Int64 { Int64(try connection.pragma(pragma) ?? "") ?? 0 }
    let pages = try number("page_count")
    let freePages = try number("freelist_count")
    let vacuum = ["none", "full", "incremental"]
    let level = Int(try number("auto_vacuum"))
    return StoreInspection.File(
      name: String(name.split(separator: "/").last ?? ""), bytes: file?.bytes ?? 0, pageSize: try number("page_size"),
      pages: pages, freePages: freePages,
      freeShare: share(freePages, of: pages),
      journalMode: header.count > 19 && header[18] == 2 && header[19] == 2 ? "wal" : "rollback",
      autoVacuum: vacuum.indices.contains(level) ? vacuum[level] : "unknown",
      encoding: try connection.pragma("encoding") ?? "unknown")
  }

  /// The content of `Z_METADATA`; `properties` is its property list, `nil` if that is missing or unreadable.
  func metadata(_ properties: InspectedMetadata?) throws(SQLiteError) -> StoreInspection.Metadata {
    let names = Set(keyRows.filter { $0.number < InspectedStore.firstReservedNumber }.map(\.name))
    let hashes = Set(properties?.hashedEntities ?? [])
    let cache =
      tables.column("Z_CONTENT", of: "Z_MODELCACHE") == nil
      ? nil : try connection.scalar("SELECT length(Z_CONTENT) FROM Z_MODELCACHE WHERE Z_CONTENT NOT NULL")
    return StoreInspection.Metadata(
      uuid: try connection.texts("SELECT Z_UUID FROM Z_METADATA WHERE Z_UUID NOT NULL").first,
      frameworkVersion: properties?.frameworkVersion,
      modelVersionIdentifiers: properties?.modelVersionIdentifiers ?? [], versionHashes: hashes.count,
      entitiesWithoutHash: properties == nil ? [] : names.subtracting(hashes).sorted(),
      hashesWithoutEntity: hashes.subtracting(names).sorted(), applicationKeys: properties?.applicationKeys ?? 0,
      modelCacheBytes: cache)
  }

  /// What the space is used for; without objects if SQLite cannot report them.
  ///
  /// It reads every page of the file.
  func sizes(pages allPages: Int64) throws(SQLiteError) -> StoreInspection.Sizes {
    guard SQLiteLibrary.compileOptions.contains("ENABLE_DBSTAT_VTAB"), !tables.contains("dbstat") else {
      return StoreInspection.Sizes(objects: nil)
    }
    let statement = try connection.prepare(
      """
      SELECT s.name, m.type, m.tbl_name, s.pageno, s.pgsize, s.unused FROM dbstat AS s
      LEFT JOIN sqlite_master AS m ON m.name = s.name WHERE s.aggregate = TRUE ORDER BY s.pgsize DESC, s.name
      """, isPersistent: false)
    var objects: [StoreInspection.Sizes.Object] = []
    while try statement.step() {
      let name = statement.string(0) ?? ""
      let pages = statement.int64(3)
      objects.append(
        StoreInspection.Sizes.Object(
          name: name, kind: statement.string(1) == "index" ? .index : .table, table: statement.string(2) ?? name,
          pages: pages, bytes: statement.int64(4), share: share(pages, of: allPages),
          unusedBytes: statement.int64(5)))
    }
    return StoreInspection.Sizes(objects: objects)
  }

  /// The amount of history; `nil` if there never was any.
  func history(_ sizes: StoreInspection.Sizes) throws(SQLiteError) -> StoreInspection.History? {
    guard tables.column("ZCHANGETYPE", of: "ACHANGE") != nil, tables.column("ZTIMESTAMP", of: "ATRANSACTION") != nil
    else {
      return nil
    }
    let changes = try connection.integers(
      """
      SELECT count(*), sum(ZCHANGETYPE = 0), sum(ZCHANGETYPE = 1), sum(ZCHANGETYPE = 2) FROM ACHANGE
      """)
    let times = try connection.prepare(
      "SELECT count(*), min(ZTIMESTAMP), max(ZTIMESTAMP) FROM ATRANSACTION", isPersistent: false)
    _ = try times.step()
    let strings =
      tables.contains("ATRANSACTIONSTRING") ? try connection.scalar("SELECT count(*) FROM ATRANSACTIONSTRING") : nil
    let objects = sizes.objects?.filter { InspectedStore.historyTables.contains($0.table) }
    func time(_ column: Int) -> String? { times.isNull(column) ? nil : ValueInspection.time(times.double(column)) }
    guard changes.count == 4 else { return nil }
    return StoreInspection.History(
      transactions: times.int64(0), changes: changes[0], inserts: changes[1], updates: changes[2], deletes: changes[3],
      strings: strings, bytes: objects?.reduce(0) { $0 + $1.bytes },
      share: objects.map { $0.reduce(0) { $0 + ($1.share ?? 0) } }, first: time(1), last: time(2))
  }
}
