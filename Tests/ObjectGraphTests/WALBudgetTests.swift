// B13: a batch insert with a limit for the write-ahead log: its file, its transactions, and its report about readers.
import Foundation
import CoreDataModel
import MissionTags
@testable import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Support
import Synchronization
import Testing

@Suite("B13 · a bounded write-ahead log", .tags(.b13))
struct WALBudgetTests {
  @Test("A log is starved if it could not be emptied and grew beyond its limit, and the report says what to do")
  func starved() {
    var report = WriteAheadLogReport(limitBytes: 1_000)
    (report.highWaterBytes, report.transactions, report.checkpoints) = (900, 3, 3)
    report.heldUpCheckpoints = 1
    #expect(!report.isStarved)
    #expect("\(report)" == "the write-ahead log grew to 900 bytes, limit 1000, in 3 transactions")
    report.highWaterBytes = 1_001
    #expect(report.isStarved && "\(report)".contains("1 of 3 checkpoints were held up by a reader"))
    (report.heldUpCheckpoints, report.oversizedTransactions) = (0, 2)
    #expect(!report.isStarved)
    #expect("\(report)".hasSuffix("2 of 3 transactions had a row that does not fit; raise the limit"))
  }

  private static let kibibyte = 1 << 10
  /// The sanitizer does not check sizes and takes long.
  private static let isThorough: Bool = {
    #if BATCHMARK_SANITIZE
      false
    #else
      ProcessInfo.processInfo.environment["BATCHMARK_TEST_ALL"] == "1"
    #endif
  }()

  /// Sees every write to the log's file on connections that are opened after it is attached.
  private let meter: SQLiteMeter

  init() throws { meter = try SQLiteMeter.attach() }

  /// A request with this many rows, made one by one.
  private final class Import {
    let stack: TestStack
    var report: WriteAheadLogReport?
    private var next = 0

    init(_ stack: TestStack) { self.stack = stack }

    func run(
      _ rows: Int, limit: Int, _ policy: MergePolicy = .error,
      configure: (inout BatchInsertRequest) -> Void = { _ in },
      row: @escaping (Int, inout [String: AttributeValue]) -> Void
    ) throws -> BatchResult {
      next = 0
      var request = BatchInsertRequest(entityName: "Quake") { [unowned self] (values: inout [String: AttributeValue]) in
        if next == rows { return true }
        row(next, &values)
        next += 1
        return false
      }
      request.walSizeLimit = limit
      request.walReportHandler = { [unowned self] in report = $0 }
      request.resultType = .count
      configure(&request)
      let context = stack.context(policy)
      let sent = request
      return try context.performAndWait { () throws in try context.execute(sent) }
    }
  }

  /// The maximum size of the log's file.
  private func peak(of stack: TestStack) -> Int { Int(meter.counters(of: stack.path).walPeak) }

  /// Its current size.
  private func logBytes(of stack: TestStack) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: stack.path + "-wal")[.size] as? Int ?? 0
  }

  /// Many transactions; whether they reach the disk does not matter here.
  private static let hasty = [PersistentStoreDescription.Pragma("synchronous", "off")]

  /// Codes in an order that scatters them over their index.
  private static func scattered(_ number: Int) -> String { "q\(UInt32(truncatingIfNeeded: number) &* 2_654_435_761)" }

  private static func fill(_ values: inout [String: AttributeValue], _ code: String, place: String = "Somewhere") {
    values["code"] = .string(code)
    values["place"] = .string(place)
    values["magnitude"] = 4.5
    values["time"] = .date(Date(timeIntervalSinceReferenceDate: 0.5))
  }

  @Test("The log's file stays within the limit, whatever order the unique values come in", arguments: [false, true])
  func withinLimit(isTracked: Bool) throws {
    let stack = try TestStack(pragmas: Self.hasty) { $0.tracksPersistentHistory = isTracked }
    let limit = 256 * Self.kibibyte
    let ingest = Import(stack)
    let rows = 20_000
    #expect(try ingest.run(rows, limit: limit) { Self.fill(&$1, Self.scattered($0)) } == .count(rows))
    let report = try #require(ingest.report)
    #expect(peak(of: stack) <= limit && report.highWaterBytes == peak(of: stack))
    #expect(report.highWaterBytes > limit / 2, "the limit is made use of")
    #expect(report.transactions > 10 && report.transactions < rows / 10)
    #expect(!report.isStarved && report.heldUpCheckpoints == 0 && report.oversizedTransactions == 0)
    #expect(try stack.rows("SELECT count(*), max(Z_PK) FROM ZQUAKE") == ["\(rows)|\(rows)"])
    #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Quake'") == ["\(rows)"])
    // Some rows are overwritten; with history, each separately.
    let again = Import(stack)
    let others = rows / 4
    let written = try again.run(others, limit: limit, .mergeByPropertyObjectTrump) {
      Self.fill(&$1, Self.scattered($0 * 7_919 % rows), place: "Elsewhere")
    }
    #expect(written == .count(others) && peak(of: stack) <= limit)
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE WHERE ZPLACE = 'Elsewhere' AND Z_OPT = 2") == ["\(others)"])
    if isTracked {
      let told = try stack.rows(
        "SELECT count(DISTINCT ZTRANSACTIONID), count(*), sum(ZCHANGETYPE = 0), count(DISTINCT ZENTITYPK) FROM ACHANGE")
      let transactions = try #require(again.report).transactions + report.transactions
      #expect(told == ["\(transactions)|\(rows + others)|\(rows)|\(rows)"])
      #expect(try stack.rows("SELECT count(*) FROM ATRANSACTION") == ["\(transactions)"])
    }
    #expect(try stack.rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test("Within a limit that fits the whole file, no page is written twice before the commit")
  func roomy() throws {
    let stack = try TestStack(pragmas: Self.hasty)
    let ingest = Import(stack)
    let rows = 20_000
    #expect(try ingest.run(rows, limit: 8 << 20) { Self.fill(&$1, Self.scattered($0)) } == .count(rows))
    let pages = try #require(Int64(try stack.rows("PRAGMA page_count")[0]))
    let counters = meter.counters(of: stack.path)
    #expect(ingest.report?.transactions == 1 && pages > 300)
    // Pages that do not fit into SQLite's cache are written early, with or without a limit.
    #expect(counters.walFrames + counters.walOverwrites < 2 * pages)
  }
}

extension WALBudgetTests {
  @Test("A million quakes stay within 16 MiB", .enabled(if: isThorough, "slow: scripts/test --all"))
  func million() throws {
    let stack = try TestStack()
    let limit = 16 << 20
    let ingest = Import(stack)
    let rows = 1_000_000
    #expect(try ingest.run(rows, limit: limit) { Self.fill(&$1, Self.scattered($0)) } == .count(rows))
    #expect(peak(of: stack) <= 17 << 20)
    #expect(ingest.report?.isStarved == false)
    #expect(try stack.rows("SELECT count(*), max(Z_PK) FROM ZQUAKE") == ["\(rows)|\(rows)"])
  }

  @Test("Rows of very different lengths keep the limit; one that does not fit exceeds it alone, and is reported")
  func longRows() throws {
    let limit = 512 * Self.kibibyte
    let lengths = [100 * Self.kibibyte, 2_048 * Self.kibibyte]
    for length in lengths {
      let stack = try TestStack(pragmas: Self.hasty)
      let ingest = Import(stack)
      let result = try ingest.run(2_000, limit: limit) { number, values in
        Self.fill(&values, Self.scattered(number))
        if number % 97 == 50 { values["place"] = .string(String(repeating: "x", count: length)) }
      }
      #expect(result == .count(2_000))
      let report = try #require(ingest.report)
      if length < limit {
        #expect(peak(of: stack) <= limit && report.oversizedTransactions == 0)
      } else {
        // The row's pages, their headers, and the pages that locate them.
        #expect(peak(of: stack) > length && peak(of: stack) <= limit + length / 4_000 * 4_120)
        #expect(report.highWaterBytes == peak(of: stack))
        #expect(report.oversizedTransactions == 21 && !report.isStarved)
        #expect("\(report)".hasSuffix("had a row that does not fit; raise the limit"))
      }
      // Short rows replace long ones: the long ones' pages are also written when they become free.
      let again = Import(stack)
      _ = try again.run(2_000, limit: limit, .mergeByPropertyObjectTrump) { Self.fill(&$1, Self.scattered($0)) }
      #expect(try #require(again.report).highWaterBytes <= limit + length / 4_000 * 4_120)
      #expect(try stack.rows("SELECT count(*), max(length(ZPLACE)) FROM ZQUAKE") == ["2000|9"])
    }
  }

  @Test("With a limit too small for any row, all rows are still stored, each by itself", arguments: [1, 16 << 10])
  func tinyLimit(limit: Int) throws {
    let stack = try TestStack()
    let ingest = Import(stack)
    #expect(try ingest.run(50, limit: limit) { Self.fill(&$1, "q\($0)") } == .count(50))
    let report = try #require(ingest.report)
    #expect(report.transactions >= 50 && report.highWaterBytes <= peak(of: stack) && report.highWaterBytes < 64 << 10)
    #expect((report.oversizedTransactions >= 50) == (limit == 1))
    #expect("\(report)".contains("had a row that does not fit") == (report.highWaterBytes > limit))
  }

  @Test("An open reader is reported: nothing is lost, and the log is emptied after it ends")
  func pinnedReader() throws {
    let lines = Lock<[String]>([])
    let stack = try TestStack(pragmas: Self.hasty) {
      $0.busyTimeout = 20
      $0.sqlTrace = SQLTrace { line in
        if line.hasPrefix("ObjectGraph: annotation: the write-ahead log") { lines.withLock { $0.append(line) } }
      }
    }
    let limit = 256 * Self.kibibyte
    let first = Import(stack)
    _ = try first.run(100, limit: limit) { Self.fill(&$1, "first \($0)") }
    let reader = try Connection(path: stack.path, access: .readOnly)
    try reader.execute("BEGIN")
    #expect(try reader.scalar("SELECT count(*) FROM ZQUAKE") == 100)
    let ingest = Import(stack)
    #expect(try ingest.run(20_000, limit: limit) { Self.fill(&$1, Self.scattered($0)) } == .count(20_000))
    let report = try #require(ingest.report)
    #expect(report.isStarved && report.highWaterBytes > limit && report.highWaterBytes == peak(of: stack))
    #expect(report.heldUpCheckpoints >= 2 && report.heldUpCheckpoints >= report.checkpoints - 1)
    // Transactions as long as the log, so that it does not fill with copies of the same pages.
    #expect(report.transactions <= 12 && report.highWaterBytes < 4 << 20, "\(report)")
    #expect(report.oversizedTransactions == 0, "no transaction alone was too large")
    #expect("\(report)".contains("were held up by a reader"))
    #expect(lines.withLock { $0 } == ["ObjectGraph: annotation: \(report)"])
    #expect(try reader.scalar("SELECT count(*) FROM ZQUAKE") == 100)
    try reader.close()
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["20100"])
    let last = Import(stack)
    _ = try last.run(1_000, limit: limit) { Self.fill(&$1, "last \($0)") }
    let lastReport = try #require(last.report)
    #expect(!lastReport.isStarved && lastReport.heldUpCheckpoints == 0 && lastReport.highWaterBytes <= limit)
    #expect(try logBytes(of: stack) <= limit, "the file, which was longer, was cut")
  }
}

extension WALBudgetTests {
  @Test("A reader that ends during the wait does not hold the log back")
  func passingReader() async throws {
    let stack = try TestStack(pragmas: Self.hasty) { $0.busyTimeout = 60_000 }
    let reader = ManagedObjectContext(.privateQueue, coordinator: stack.coordinator)
    let ingest = Import(stack)
    let rows = 5_000
    try reader.performAndWait { () throws in
      for number in 0..<200 { try Quake.insert("first \(number)", into: reader) }
      try reader.save()
    }
    // Consecutive fetches; each holds the log for a moment.
    let isOver = Atomic(false)
    async let fetching: Void = reader.perform { () throws in
      while !isOver.load(ordering: .relaxed) { _ = try reader.count(for: FetchRequest(entityName: "Quake")) }
    }
    #expect(
      try ingest.run(rows, limit: 256 * Self.kibibyte) { Self.fill(&$1, Self.scattered($0)) } == .count(rows))
    isOver.store(true, ordering: .relaxed)
    try await fetching
    #expect(peak(of: stack) <= 256 * Self.kibibyte && ingest.report?.heldUpCheckpoints == 0)
  }

  @Test("A failure names its row and the stored rows, and the report is still delivered")
  func failure() throws {
    let stack = try TestStack(pragmas: Self.hasty)
    let ingest = Import(stack)
    let cause = ObjectGraphError.missingValue(entity: "Quake", key: "code", row: 15_001)
    let error = #expect(throws: ObjectGraphError.self) { () throws in
      try ingest.run(20_000, limit: 256 * Self.kibibyte) { number, values in
        Self.fill(&values, Self.scattered(number))
        if number == 15_000 { values["code"] = nil }
      }
    }
    guard case .partlyStored("Quake", let rows, let result, cause)? = error else {
      throw TestFailure("\(String(describing: error))")
    }
    #expect(rows > 0 && rows <= 15_000 && result == .count(rows))
    #expect(try stack.rows("SELECT count(*), max(Z_PK) FROM ZQUAKE") == ["\(rows)|\(rows)"])
    #expect(try #require(ingest.report).transactions > 1)
  }

  @Test("A log that was too long before is cut, and transactionSize bounds transactions too")
  func longBefore() throws {
    let stack = try TestStack(pragmas: [.init("wal_autocheckpoint", "0")])
    let limit = 256 * Self.kibibyte
    let before = Import(stack)
    _ = try before.run(20_000, limit: 0) { Self.fill(&$1, Self.scattered($0)) }
    #expect(try logBytes(of: stack) > limit && before.report == nil)
    let ingest = Import(stack)
    _ = try ingest.run(100, limit: limit, configure: { $0.transactionSize = 10 }) {
      Self.fill(&$1, "later \($0)")
    }
    let report = try #require(ingest.report)
    #expect(try logBytes(of: stack) <= limit && report.highWaterBytes <= limit && report.highWaterBytes > 0)
    #expect((10...11).contains(report.transactions))
  }

  @Test("The limit applies if SQLite may not write before the commit, and has no meaning in another journal mode")
  func otherPragmas() throws {
    let limit = 256 * Self.kibibyte
    let stack = try TestStack(pragmas: [.init("cache_spill", "off")])
    let ingest = Import(stack)
    #expect(try ingest.run(2_000, limit: limit) { Self.fill(&$1, Self.scattered($0)) } == .count(2_000))
    #expect(peak(of: stack) <= limit && ingest.report?.oversizedTransactions == 0)
    let rollback = Import(try TestStack(pragmas: [.init("journal_mode", "delete")]))
    #expect(try rollback.run(2_000, limit: limit) { Self.fill(&$1, Self.scattered($0)) } == .count(2_000))
    #expect(rollback.report == nil && peak(of: rollback.stack) == 0)
  }
}
