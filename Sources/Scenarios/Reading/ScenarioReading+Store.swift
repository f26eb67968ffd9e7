// The `store` key: pragmas, each with the values SQLite takes.

extension ScenarioReading {
  /// Reads the store's pragmas: in the file's order, but first those that count only before a store has content.
  mutating func pragmas(_ node: YAMLNode) -> [StorePragma] {
    let names = PragmaSchema.all.map(\.name)
    guard let entries = entries(node, expected: "a mapping of pragmas, such as {journal_mode: wal}") else { return [] }
    var pragmas: [(pragma: StorePragma, isEarly: Bool)] = []
    for entry in entries {
      guard let words = PragmaSchema.all.first(where: { $0.name == entry.key }) else {
        complain(entry.keyPlace, found: "the pragma \(shown(entry.key))", word: entry.key, words: names)
        continue
      }
      guard let value = value(entry.value, of: words) else { continue }
      pragmas.append((StorePragma(words.name, value), words.mustPrecedeContent))
    }
    return pragmas.filter(\.isEarly).map(\.pragma) + pragmas.filter { !$0.isEarly }.map(\.pragma)
  }

  /// A pragma's value as SQLite spells it.
  mutating func value(_ node: YAMLNode, of pragma: PragmaSchema) -> String? {
    switch pragma.domain {
    case .words(let words):
      return word(node, among: words)
    case .switch(let more):
      // YAML authors write true and false where SQLite's own word is on or off.
      let synonyms = ["true": "on", "yes": "on", "1": "on", "false": "off", "no": "off", "0": "off"]
      if let text = node.text?.lowercased(), let value = synonyms[text] { return value }
      return word(node, among: ["on", "off"] + more)
    case .number(let range):
      return wholeNumber(node, in: range).map(String.init)
    case .powerOfTwo(let range):
      guard let number = wholeNumber(node, in: range) else { return nil }
      if number.nonzeroBitCount == 1 { return String(number) }
      let nearest = 1 << (Int.bitWidth - 1 - number.leadingZeroBitCount)
      complain(
        node.place, found: "\(number)", expected: "a power of two from \(range.lowerBound) to \(range.upperBound)",
        suggestion: String(nearest))
      return nil
    }
  }
}

/// A pragma a scenario may set, with the values SQLite documents for it (https://www.sqlite.org/pragma.html).
struct PragmaSchema {
  enum Domain {
    case words([String])
    /// On or off, or one of more words.
    case `switch`([String])
    case number(ClosedRange<Int>)
    case powerOfTwo(ClosedRange<Int>)
  }

  let name: String
  let domain: Domain
  /// Whether SQLite takes it only while the file is empty; switching to WAL already writes to the file.
  var mustPrecedeContent = false

  private static let int32 = -2_147_483_648...2_147_483_647

  static let all: [PragmaSchema] = [
    PragmaSchema(name: "journal_mode", domain: .words(["wal", "delete", "truncate", "persist", "memory", "off"])),
    PragmaSchema(name: "synchronous", domain: .words(["off", "normal", "full", "extra"])),
    PragmaSchema(name: "wal_autocheckpoint", domain: .number(0...2_147_483_647)),
    PragmaSchema(name: "cache_size", domain: .number(int32)),
    PragmaSchema(name: "page_size", domain: .powerOfTwo(512...65_536), mustPrecedeContent: true),
    PragmaSchema(name: "mmap_size", domain: .number(0...Int(Int64.max >> 1))),
    PragmaSchema(name: "temp_store", domain: .words(["default", "file", "memory"])),
    PragmaSchema(name: "locking_mode", domain: .words(["normal", "exclusive"])),
    PragmaSchema(name: "journal_size_limit", domain: .number(-1...Int(Int64.max >> 1))),
    PragmaSchema(name: "auto_vacuum", domain: .words(["none", "full", "incremental"]), mustPrecedeContent: true),
    PragmaSchema(name: "max_page_count", domain: .number(1...4_294_967_294)),
    PragmaSchema(name: "cache_spill", domain: .switch([])),
    PragmaSchema(name: "secure_delete", domain: .switch(["fast"])),
    PragmaSchema(name: "fullfsync", domain: .switch([])),
    PragmaSchema(name: "checkpoint_fullfsync", domain: .switch([])),
    PragmaSchema(name: "busy_timeout", domain: .number(0...2_147_483_647)),
    PragmaSchema(name: "foreign_keys", domain: .switch([])),
    PragmaSchema(name: "automatic_index", domain: .switch([])),
    PragmaSchema(name: "recursive_triggers", domain: .switch([])),
    PragmaSchema(name: "cell_size_check", domain: .switch([])),
    PragmaSchema(name: "threads", domain: .number(0...64)),
  ]
}
