// Values bound and read back.
import MissionTags
import SQLiteDriver
import Support
import Testing

@Suite("D2 · values bound and read back", .tags(.d2))
struct BindingTests {
  /// `SELECT ?1, typeof(?1), length(CAST(?1 AS BLOB))`.
  private func echo() throws -> Statement {
    try Connection(path: ":memory:").prepare("SELECT ?1, typeof(?1), length(CAST(?1 AS BLOB))")
  }

  @Test("Integers of every size are read back", arguments: [0, 1, -1, 127, 65_536, 1 << 47, Int64.max, .min])
  func integers(value: Int64) throws {
    let statement = try echo()
    try statement.bind(value, at: 1)
    #expect(try statement.step())
    #expect(statement.int64(0) == value)
    #expect(statement.columnType(0) == .integer)
    #expect(statement.string(1) == "integer")
  }

  @Test(
    "Floating-point numbers are read back to the bit",
    arguments: [0.0, 0.1, -1.5e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity])
  func doubles(value: Double) throws {
    let statement = try echo()
    try statement.bind(value, at: 1)
    #expect(try statement.step())
    #expect(statement.double(0).bitPattern == value.bitPattern)
    #expect(statement.columnType(0) == .real)
  }

  @Test("NaN is stored as NULL, like NULL itself")
  func nulls() throws {
    let statement = try echo()
    try statement.bind(Double.nan, at: 1)
    #expect(try statement.step())
    #expect(statement.isNull(0))
    statement.reset()
    try statement.bind(1.5, at: 1)
    try statement.bindNull(at: 1)
    #expect(try statement.step())
    #expect(statement.columnType(0) == .null)
    #expect(statement.string(0) == nil)
    #expect(statement.bytes(0) == nil)
    #expect(statement.int64(0) == 0)
    #expect(statement.double(0) == 0)
    #expect(statement.string(1) == "null")
  }

  static let sampleTexts = [
    "", "a", "exactly fifteen", "sixteen bytes ok", "Žluťoučký kůň, 地震 🌋", "zero\0inside\0", "\0",
    String(repeating: "x", count: 16_384), String(repeating: "ý", count: 40_000),
  ]
}

extension BindingTests {
  @Test("Text is read back: empty, beyond ASCII, with zero bytes, larger than the buffers", arguments: sampleTexts)
  func texts(text: String) throws {
    let statement = try echo()
    try statement.bind(text: text, at: 1)
    #expect(try statement.step())
    #expect(statement.string(0) == text)
    #expect(statement.columnType(0) == .text)
    #expect(statement.int64(2) == text.utf8.count)
    #expect(statement.bytes(0).map { Array($0) } == Array(text.utf8))
  }

  @Test("Text bound without a copy is read back", arguments: sampleTexts)
  func staticTexts(text: String) throws {
    let statement = try echo()
    let bytes = Array(text.utf8)
    try bytes.withUnsafeBufferPointer { bytes in
      try statement.bind(staticText: bytes, at: 1)
      #expect(try statement.step())
      #expect(statement.string(0) == text)
      #expect(statement.string(1) == "text")
      statement.reset()
    }
  }

  @Test("Blobs are read back, copied or not", arguments: [0, 1, 31, 32, 33, 16_384, 16_385, 1_000_000])
  func blobs(count: Int) throws {
    let statement = try echo()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try bytes.withUnsafeBytes { try statement.bind(blob: $0, at: 1) }
    #expect(try statement.step())
    #expect(statement.columnType(0) == .blob)
    #expect(statement.bytes(0).map { Array($0) } == bytes)
    statement.reset()
    statement.clearBindings()
    try bytes.withUnsafeBytes { bytes in
      try statement.bind(staticBlob: bytes, at: 1)
      #expect(try statement.step())
      #expect(statement.string(1) == "blob")
      #expect(statement.int64(2) == bytes.count)
      statement.reset()
    }
  }
}

extension BindingTests {
  @Test("Empty text and an empty blob without an address are still not NULL")
  func emptyWithoutAddress() throws {
    let statement = try echo()
    let binders: [(Statement) throws -> Void] = [
      { try $0.bind(staticText: UnsafeBufferPointer(start: nil, count: 0), at: 1) },
      { try $0.bind(staticBlob: UnsafeRawBufferPointer(start: nil, count: 0), at: 1) },
      { try $0.bind(blob: UnsafeRawBufferPointer(start: nil, count: 0), at: 1) },
    ]
    for (bind, type) in zip(binders, ["text", "blob", "blob"]) {
      try bind(statement)
      #expect(try statement.step())
      #expect(!statement.isNull(0))
      #expect(statement.string(1) == type)
      #expect(statement.bytes(0)?.count == 0)
      statement.reset()
    }
  }

  @Test("A bound value stays unchanged while others are bound again, longer and shorter")
  func bindingsStay() throws {
    let statement = try Connection(path: ":memory:").prepare("SELECT ?, ?, ?")
    try statement.bind(text: "first", at: 1)
    try statement.bind(text: "stays", at: 2)
    try statement.bind(text: "last", at: 3)
    for count in [1, 31, 33, 5, 100, 20_000, 2] {
      try statement.bind(text: String(repeating: "f", count: count), at: 1)
      try statement.bind(text: String(repeating: "l", count: count), at: 3)
      #expect(try statement.step())
      #expect(statement.string(0) == String(repeating: "f", count: count))
      #expect(statement.string(1) == "stays")
      #expect(statement.string(2) == String(repeating: "l", count: count))
      statement.reset()
    }
    statement.clearBindings()
    #expect(try statement.step())
    #expect((0..<3).allSatisfy { statement.isNull($0) })
  }

  @Test("Any sequence of bindings is read back as bound, over many resets", arguments: 1...20)
  func randomBindings(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let parameters = 12
    let marks = Array(repeating: "?", count: parameters).joined(separator: ", ")
    let statement = try Connection(path: ":memory:").prepare("SELECT \(marks)")
    var expected = [String?](repeating: nil, count: parameters)
    for _ in 0..<200 {
      for _ in 0..<Int.random(in: 0...parameters, using: &random) {
        let index = Int.random(in: 1...parameters, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          try statement.bindNull(at: index)
          expected[index - 1] = nil
        case 1:
          let value = Int64.random(in: .min ... .max, using: &random)
          try statement.bind(value, at: index)
          expected[index - 1] = "\(value)"
        default:
          let count = Int.random(in: 0...(1 << Int.random(in: 0...15, using: &random)), using: &random)
          let text = String(repeating: "\(Int.random(in: 0...9, using: &random))", count: count)
          try statement.bind(text: text, at: index)
          expected[index - 1] = text
        }
      }
      #expect(try statement.step())
      #expect((0..<parameters).map { statement.string($0) } == expected)
      statement.reset()
    }
  }

  @Test("A parameter that does not exist is refused", arguments: [0, -1, 4, .max, .min, 1 << 32 + 1])
  func range(index: Int) throws {
    let statement = try Connection(path: ":memory:").prepare("SELECT ?, ?, ?")
    #expect(statement.parameterCount == 3)
    let binders: [() throws -> Void] = [
      { try statement.bind(Int64(1), at: index) }, { try statement.bind(1.0, at: index) },
      { try statement.bindNull(at: index) }, { try statement.bind(text: "a", at: index) },
      { try statement.bind(text: String(repeating: "a", count: 20_000), at: index) },
      { try statement.bind(blob: UnsafeRawBufferPointer(start: nil, count: 0), at: index) },
      { try statement.bind(staticText: UnsafeBufferPointer(start: nil, count: 0), at: index) },
      { try statement.bind(staticBlob: UnsafeRawBufferPointer(start: nil, count: 0), at: index) },
    ]
    for bind in binders {
      #expect(throws: SQLiteError.self) { try bind() }
      do { try bind() } catch { #expect(ResultCode.range ~= error) }
    }
  }
}
