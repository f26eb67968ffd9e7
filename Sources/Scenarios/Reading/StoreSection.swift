// The key `store`: pragmas, each with the values SQLite takes.
import BatchmarkEngine

/// Reads the store's pragmas.
struct StoreSection: NodeReading {
  let diagnostics: Diagnostics

  /// Those that SQLite takes only while the file is empty; switching to WAL already writes to the file.
  private static let early: Set = ["page_size", "auto_vacuum"]

  /// Reads the pragmas: in the file's order, but first those that count only before a store has content.
  func read(_ node: YAMLNode) -> [StorePragma] {
    let keys = ScenarioKey.all(in: .store)
    guard let entries = entries(node, expected: "a mapping of pragmas, such as {journal_mode: wal}") else { return [] }
    let pragmas = entries.compactMap { entry -> StorePragma? in
      guard let key = keys.first(where: { $0.name == entry.key }), let domain = key.domain else {
        diagnose(
          entry.keyPlace, found: "the pragma \(shown(entry.key))", word: entry.key, words: keys.map(\.name))
        return nil
      }
      return value(entry.value, of: domain).map { StorePragma(key.name, $0.description) }
    }
    return pragmas.filter { StoreSection.early.contains($0.name) }
      + pragmas.filter { !StoreSection.early.contains($0.name) }
  }
}
