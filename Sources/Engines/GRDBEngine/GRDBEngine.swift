// GRDB, a peer: SQLite in Swift by statement or by record, without an object graph.
public import BatchmarkEngine

/// The `grdb` engine: GRDB.swift, used as its documentation recommends.
///
/// It works on a store made by ObjectGraph, over one connection of a `DatabaseQueue`, on the caller's thread, with the
/// same pragmas, transactions and merge policies as every other engine. It uses the SQLite library that all engines
/// share, so that meters see its work.
///
/// GRDB binds text only up to its first zero byte.
public struct GRDBEngine: Engine {
  public init() {}

  public var name: String { "grdb" }

  private static let tradeoffs = ["no object graph", "no relationship upkeep", "no validation rules"]

  public var strategies: [Strategy] {
    [
      insert(
        "statement", "one prepared statement, its arguments set for every row, one transaction",
        "one prepared statement, one transaction", .statement,
        ["no model", "no objects", "no validation rules", "SQL by hand"]),
      insert(
        "record", "records that write their own columns, inserted or upserted one by one",
        "records that write their own columns",
        .record),
      insert("codable", "Codable records, inserted or upserted one by one", "Codable records, one by one", .codable),
      Strategy(
        "update", summary: "GRDB: fetches records, changes them and updates each",
        gloss: "fetches records, updates each",
        tradeoffs: GRDBEngine.tradeoffs + ["no conflict detection"], parameters: [ParameterKey.saveEvery],
        .update { try GRDBChangeSession($0, .update($2), rowsPerTransaction: $1[.saveEvery]) }),
      Strategy(
        "update-many", summary: "GRDB: updateAll on a request with a filter", gloss: "updateAll on a filtered request",
        tradeoffs: GRDBEngine.tradeoffs + ["no conflict detection"],
        .update { setup, _, assignments in try GRDBChangeSession(setup, .update(assignments)) }),
      Strategy(
        "delete", summary: "GRDB: fetches records and deletes each", gloss: "fetches records, deletes each",
        tradeoffs: GRDBEngine.tradeoffs + ["no conflict detection", "no delete rules"],
        parameters: [ParameterKey.saveEvery],
        .delete { try GRDBChangeSession($0, .delete, rowsPerTransaction: $1[.saveEvery]) }),
      Strategy(
        "delete-many", summary: "GRDB: deleteAll on a request with a filter", gloss: "deleteAll on a filtered request",
        tradeoffs: GRDBEngine.tradeoffs + ["no conflict detection", "no delete rules"],
        .delete { setup, _ in try GRDBChangeSession(setup, .delete) }),
      fetch(
        "row", "a cursor of rows, each column read by its place", "a cursor of rows", .row, ["no records"],
        abilities: [.group]),
      fetch(
        "record", "fetchAll of records that read their own columns", "records that read their columns", .record,
        abilities: [.group]),
      fetch(
        "associations", "fetchAll of rows with those associated with them, a statement for each to-many relationship",
        "rows with associations", .associations, ["no records"], abilities: [.follow]),
      fetch("codable", "fetchAll of Codable records", "Codable records", .codable),
    ]
  }

  private func fetch(
    _ name: String, _ summary: String, _ gloss: String, _ style: GRDBFetchSession.Style, _ tradeoffs: [String] = [],
    abilities: Set<FetchAbility> = []
  ) -> Strategy {
    Strategy(
      name, summary: "GRDB: \(summary)", gloss: gloss, tradeoffs: GRDBEngine.tradeoffs + tradeoffs,
      abilities: abilities,
      .fetch { setup, _ in try GRDBFetchSession(setup, style) })
  }

  private func insert(
    _ name: String, _ summary: String, _ gloss: String, _ style: GRDBInsertSession.Style,
    _ tradeoffs: [String] = GRDBEngine.tradeoffs
  ) -> Strategy {
    Strategy(
      name, summary: "GRDB: \(summary)", gloss: gloss, tradeoffs: tradeoffs, storesSeveralEntities: true,
      .insert { setup, _ in try GRDBInsertSession(setup, style) })
  }
}
