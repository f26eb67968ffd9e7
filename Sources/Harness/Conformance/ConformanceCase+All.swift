// The conformance rules about rows, each with rows that a faulty engine stores wrongly.
package import BatchmarkEngine

extension ConformanceCase {
  /// All rules for strategies of an operation.
  package static func all(of operation: Operation.Kind) -> [ConformanceCase] {
    switch operation {
    case .insert: types + shapes + policies + transactions + pragmas
    case .fetch: (types + shapes).map(\.fetched) + fetches
    case .update: updates
    case .delete: deletions
    case .migrate: []
    }
  }

  /// A case with a single attribute of a given type.
  private static func type(_ rule: String, _ type: String, _ values: String, rows: Int = 40) -> ConformanceCase {
    ConformanceCase(
      rule: rule, attributes: [("value", "{type: \(type)}"), ("other", "{type: \(type), optional: true}")],
      values: [values, values == "{}" ? "{nulls: 20%}" : values.dropLast() + ", nulls: 20%}"], rows: rows)
  }

  private static let types = [
    type("16-bit integers are stored to their ends", "int16", "{values: [-32768, -1, 0, 1, 32767]}"),
    type("32-bit integers are stored to their ends", "int32", "{values: [-2147483648, -1, 0, 1, 2147483647]}"),
    type(
      "64-bit integers are stored to their ends", "int64",
      "{values: [-9223372036854775808, -9007199254740993, 0, 9007199254740993, 9223372036854775807]}"),
    type("true and false are stored as 1 and 0", "boolean", "{trues: 50%}"),
    type("floats are stored as they are", "float", "{values: [-3.4e38, -0.5, 0, 0.25, 3.4e38]}"),
    type(
      "doubles are stored to the last bit", "double",
      "{values: [-1.7976931348623157e308, 5e-324, 0.1, 0.30000000000000004, 7.857904, 1.7976931348623157e308]}"),
    type("whole doubles stay REAL", "double", "{values: [-3, 0, 1, 42, 1e15]}"),
    type("decimals are stored exactly", "decimal", "{values: [\"-0.001\", \"0\", \"12.5\", \"99999.99\"]}"),
    type(
      "times are REAL seconds since 2001, before it too", "date",
      "{values: [\"1582-10-15T00:00:00Z\", \"2000-12-31T23:59:59.5Z\", \"2001-01-01T00:00:00Z\", \"2026-02-28T12:30:00.123Z\"]}"
    ),
    type(
      "text keeps quotes, line feeds and characters beyond the basic plane", "string",
      #"{values: ["", "it's", "\"quoted\"", "two\nlines", "tab\tand \\", "日本語 🌍", "e\u0301", "'; DROP TABLE ZTHING; --"]}"#
    ),
    type(
      "text that looks like a number stays text", "string", #"{values: ["007", "1e3", "-0", "0x10", "3.0", "NULL"]}"#),
    type("long text is stored whole", "string", "{lengths: [90000, 100000]}", rows: 3),
    type("blobs are stored byte by byte", "binary", "{lengths: [1, 300]}"),
    type("empty blobs are stored, and are no NULL", "binary", "{lengths: [0, 1]}"),
    type("large blobs are stored whole", "binary", "{lengths: [1000000, 1000000]}", rows: 2),
    type("UUIDs are blobs of 16 bytes", "uuid", "{}"),
    type(
      "URIs are text", "uri", #"{values: ["https://example.org/a?b=c", "file:///tmp/x%20y", "mailto:a@example.org"]}"#),
  ]

  private static let names = [
    "order", "group", "select", "table", "index", "values", "key", "where", "from", "primary",
  ]

  private static let shapes = [
    ConformanceCase(
      rule: "a null is stored as NULL in every type",
      attributes: [
        "int16", "int32", "int64", "boolean", "float", "double", "decimal", "date", "string", "binary", "uuid", "uri",
      ].map { ("a_\($0)", "{type: \($0), optional: true}") }, values: Array(repeating: nil, count: 12)),
    ConformanceCase(
      rule: "a default stands where the source had no value",
      attributes: [("code", "{type: string}"), ("place", "{type: string, optional: true, default: nowhere}")],
      feed: (1...40).map { $0 % 2 == 0 ? #"{"code": "\#($0)"}"# : #"{"code": "\#($0)", "place": "here"}"# }),
    ConformanceCase(
      rule: "attributes may be named as words of SQL", attributes: names.map { ($0, "{type: int32}") },
      values: names.map { _ in "{range: [1, 9]}" }),
    ConformanceCase(
      rule: "a row may have 60 attributes", attributes: (1...60).map { ("a\($0)", "{type: int32, optional: true}") },
      values: (1...60).map { _ in "{range: [1, 1000], nulls: 10%}" }),
    ConformanceCase(
      rule: "one row is stored", attributes: [("code", "{type: string}")], values: ["{lengths: [4, 8]}"], rows: 1),
    ConformanceCase(
      rule: "10,000 rows are stored", attributes: [("code", "{type: string}"), ("size", "{type: double}")],
      values: ["{lengths: [4, 8]}", "{range: [0, 10]}"], rows: 10_000),
  ]

  static let quake: [(name: String, declaration: String)] = [
    ("code", "{type: string}"), ("magnitude", "{type: double, optional: true}"),
    ("place", "{type: string, optional: true}"), ("time", "{type: date}"),
  ]

  private static func repeated(_ rule: String, _ policy: String) -> ConformanceCase {
    ConformanceCase(
      rule: rule, entity: "Quake", attributes: quake, rows: 200,
      source: "{generate: {rows: 200, seed: 7, duplicates: 20%}}", unique: "[code]", repeatsValues: true, policy: policy
    )
  }

  private static let policies = [
    repeated("under object_trump a later row takes the place of an earlier one", "object_trump"),
    repeated("under store_trump an earlier row stays", "store_trump"),
    repeated("under overwrite a later row takes the place of an earlier one", "overwrite"),
    ConformanceCase(
      rule: "two attributes may be unique together",
      attributes: [("one", "{type: int32}"), ("two", "{type: string}"), ("count", "{type: int64}")],
      feed: (1...100).map { #"{"one": \#($0 % 5), "two": "\#($0 % 3)", "count": \#($0)}"# }, unique: "[one, two]",
      repeatsValues: true, policy: "object_trump"),
    ConformanceCase(
      rule: "under error an earlier row stays",
      attributes: [("code", "{type: string}"), ("count", "{type: int64}")],
      feed: (1...100).map { #"{"code": "\#($0 % 90)", "count": \#($0)}"# }, unique: "[code]",
      repeatsValues: true),
  ]

  private static func transactions(of size: Int, _ rule: String) -> ConformanceCase {
    ConformanceCase(
      rule: rule, entity: "Quake", attributes: quake, source: "{generate: {rows: 40, seed: 7}}", transaction: size)
  }

  private static let transactions = [
    transactions(of: 1, "each row may have a transaction of its own"),
    transactions(of: 7, "the last transaction may have fewer rows"),
    transactions(of: 1_000, "a transaction may have room for more rows than there are"),
    ConformanceCase(
      rule: "the rows are stored again when 'go' comes again", entity: "Quake", attributes: quake, rows: 100,
      source: "{generate: {rows: 100, seed: 7}}", unique: "[code]", repeatsValues: true, policy: "object_trump",
      more: "repeat: 3"),
  ]

  private static func pragmas(_ rule: String, _ store: String) -> ConformanceCase {
    ConformanceCase(
      rule: rule, attributes: [("code", "{type: string}")], values: ["{lengths: [4, 8]}"], store: store)
  }

  private static let pragmas = [
    pragmas(
      "pragmas are set as asked", "journal_mode: wal, synchronous: full, cache_size: -500, temp_store: memory"),
    pragmas("a rollback journal is kept where it is asked for", "journal_mode: delete, synchronous: full"),
    pragmas("no checkpoint is made where none is asked for", "journal_mode: wal, wal_autocheckpoint: 0"),
  ]
}
