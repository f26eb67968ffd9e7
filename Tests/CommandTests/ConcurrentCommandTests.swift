// Concurrent readers and writers, from the command line to the files: their results, a store that stays correct, and
// commands that do not allow such cells.
import Analysis
import BatchmarkEngine
import Foundation
@testable import Harness
import MissionTags
import Reports
import SQLiteDriver
import Statistics
import Support
import Testing

@Suite("A15 · readers and writers beside a cell", .tags(.a15))
struct ConcurrentCommandTests {
  private let cells = ["{strategy: save, save_every: 100}", "{engine: sqlite, strategy: insert}"]

  private func workspace(_ beside: String, journal: String = "wal") throws -> Workspace {
    let workspace = try Workspace()
    try workspace.writeScenario(
      cells: cells, source: "{generate: {rows: 3_000}}",
      store: "{journal_mode: \(journal), synchronous: off}\nbeside: {\(beside)}", rounds: 2)
    return workspace
  }

  private func run(_ workspace: Workspace, _ more: String...) async throws -> [CellReport] {
    let result = try await Program.batchmark.run(["run", "small.yml", "--out", "out"] + more, in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let cells = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first).cells
    try #require(!cells.isEmpty)
    return cells
  }

  @Test("Every operation that was due is counted, contents are those of the source, and there are no exact counters")
  func mixed() async throws {
    let workspace = try workspace("readers: 2, writers: 1, rate: 500/s, query: {where: magnitude > 1, limit: 20}")
    let cells = try await run(workspace)
    for cell in cells {
      let latencies = try #require(cell.latencies)
      #expect(latencies.map(\.name) == [.read, .write])
      #expect(latencies.map(\.processes) == [2, 1])
      for latency in latencies {
        #expect(latency.rate == 500)
        #expect(latency.tally.due > 0 && latency.tally.done <= latency.tally.due)
        #expect(latency.tally.latency.count == latency.tally.due)
        let sum = cell.samples.compactMap(\.concurrent).flatMap(\.classes).filter { $0.name == latency.name }
        #expect(sum.map(\.tally.due).reduce(0, +) == latency.tally.due)
        #expect(LatencyHistogram.pooled(sum.map(\.tally.latency)) == latency.tally.latency)
      }
      for sample in cell.samples { try checkCourse(of: sample) }
      #expect(cell.samples.count == 2 && cell.samples.allSatisfy { $0.pass == .timing })
      #expect(cell.missing == 0 && cell.main.metrics[.walPeak] == nil)
      #expect(cell.contents.figure?.rows == 3_000)
    }
    let slices = cells.flatMap(\.samples).flatMap { LatencyCourse.all(of: $0) }.map(\.slices.count).reduce(0, +)
    #expect(try workspace.text(of: "out/latency-over-time.csv").split(separator: "\r\n").count == 1 + slices)
    #expect(try workspace.text(of: "out/report.html").contains("When operations had to wait"))
    let lines = try workspace.text(of: "out/latency.csv").split(separator: "\r\n")
    // Reads and writes for two cells, and the single saves of one.
    #expect(lines.count == 1 + 4 + 1 && lines.count { $0.contains(",request,") } == 1)
    #expect(try workspace.text(of: "out/report.md").contains("reads beside save"))
    #expect(try workspace.text(of: "out/report.html").contains("What kept them waiting"))
  }

  /// Checks that every due operation is in a slice, that the longest one is in one of them, and that the WAL's last
  /// size is its size at the end.
  private func checkCourse(of sample: Sample) throws {
    let concurrent = try #require(sample.concurrent)
    let course = try #require(concurrent.course)
    #expect(course.classes.map(\.name) == concurrent.classes.map(\.name))
    for operations in concurrent.classes {
      let slices = try #require(course[operations.name])
      #expect(slices.counts.reduce(0, +) == operations.tally.due)
      #expect(slices.longest.max() == operations.tally.latency.longest)
      #expect((1...LatencySlices.most).contains(slices.counts.count))
    }
    #expect(course.walBytes?.last == concurrent.walBytes && course.seconds > 0)
  }

  @Test("Readers and writers start even if the executable's file was replaced after the run began")
  func replacedExecutable() async throws {
    let workspace = try workspace("readers: 1, writers: 1, rate: 200/s")
    let products = URL(filePath: Program.batchmark.path).deletingLastPathComponent().path
    try FileManager.default.copyItem(atPath: Program.batchmark.path, toPath: workspace.path + "/built")
    try FileManager.default.createSymbolicLink(
      atPath: workspace.path + "/libCAllocationMeter.so", withDestinationPath: products + "/libCAllocationMeter.so")
    let result = try await Program(at: workspace.path + "/built").run(
      ["run", "small.yml", "--quick", "--out", "out", "--prepare", "rm -f built && echo exit 1 > built"],
      in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let cells = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first).cells
    #expect(cells.allSatisfy { $0.failures.isEmpty && $0.latencies?.count == 2 })
  }

  @Test("A reader that is kept from running until the phase has ended finds both messages at once, and ends")
  func lateReader() throws {
    let workspace = try Workspace()
    let path = workspace.path + "/store.sqlite"
    let store = try Connection(path: path)
    try store.execute("PRAGMA journal_mode = wal; CREATE TABLE quake (code TEXT)")
    let reader = try PipedProcess(
      ChildProcess(
        Program.batchmark.path, ["worker", ConcurrentProcess.word], output: .dropped, errors: .dropped))
    func send(_ lines: [any Encodable]) throws {
      let bytes = try lines.map { Array(try JSONEncoder().encode($0)) + [UInt8(ascii: "\n")] }
      try reader.write(bytes.flatMap(\.self), limit: 30)
    }
    func answer() throws -> ConcurrentAnswer {
      try JSONDecoder().decode(ConcurrentAnswer.self, from: Data(try reader.readLine(longest: 1 << 20, limit: 30)))
    }
    let work = ConcurrentJob.Work.read(sql: "SELECT code FROM quake", parameters: [])
    try send([ConcurrentJob(path: path, rate: 100, busyTimeout: 0, pragmas: [], work: work)])
    guard case .ready = try answer() else { return #expect(Bool(false), "it was not ready") }
    let begin = MonotonicClock.now()
    try send([
      ConcurrentRequest.begin(begin, ofAll: begin), ConcurrentRequest.end(begin + 50_000_000, joining: 1),
    ])
    guard case .tally(let tally, _) = try answer() else { return #expect(Bool(false), "it has no tally") }
    #expect(tally.due == 5 && tally.done == 5)
    #expect(reader.end(within: 30) == .exited(0))
  }

  @Test("A writer that gave up and has ended by the end of the phase fails with its own reason")
  func writerThatGaveUp() throws {
    let workspace = try Workspace()
    let path = workspace.path + "/store.sqlite"
    let store = try Connection(path: path)
    try store.execute("PRAGMA journal_mode = wal; \(ConcurrentTable.creation)")
    // The key of its first row already exists.
    try store.execute("INSERT INTO \(ConcurrentTable.name) VALUES (0, 0, '')")
    let job = ConcurrentJob(path: path, rate: 100, busyTimeout: 0, pragmas: [], work: .write(writer: 0, .immediate))
    let writer = try ConcurrentChild(
      .write, job, ConcurrentExecutable(path: Program.batchmark.path, arguments: ["worker"]))
    try writer.waitUntilReady(limit: 30)
    let begin = MonotonicClock.now()
    try writer.begin(at: begin, ofAll: begin)
    let error = #expect(throws: ConcurrentProcessError.self) {
      // Until it ends, it does not read what it is sent.
      for _ in 0..<3_000 {
        try writer.end(at: begin + 60_000_000_000, joining: 1)
        usleep(10_000)
      }
    }
    #expect(error?.reason.contains("UNIQUE constraint failed") == true, "\(String(describing: error))")
  }

  @Test("Readers of a rollback journal and deferred writers are refused, try again, and lose nothing")
  func refused() async throws {
    let workspace = try workspace(
      "readers: 1, writers: 1, rate: 200/s, transaction: deferred, timeout: 0", journal: "delete")
    for cell in try await run(workspace, "--quick") {
      let tallies = try #require(cell.latencies).map(\.tally)
      #expect(tallies.map(\.latency.count) == tallies.map(\.due))
      for tally in tallies {
        // Each refusal leads to a retry, except for the last one of an operation that is given up.
        let refusals = tally.refusals.values.reduce(0, +)
        #expect(tally.retries <= refusals && refusals - tally.retries <= tally.due - tally.done)
        #expect(tally.refusals.keys.allSatisfy { $0.hasPrefix("SQLITE_BUSY") || $0.hasPrefix("SQLITE_LOCKED") })
      }
      #expect(cell.contents.figure?.rows == 3_000)
    }
  }

  @Test("Threads of the measured process do the same work as processes, and the files say which they were")
  func threads() async throws {
    let workspace = try workspace("readers: 2, writers: 2, rate: 300/s, in: threads")
    for cell in try await run(workspace) {
      let latencies = try #require(cell.latencies)
      #expect(latencies.map(\.name) == [.read, .write] && latencies.map(\.processes) == [2, 2])
      #expect(latencies.allSatisfy { $0.place == .threads })
      for latency in latencies {
        #expect(latency.tally.due > 0 && latency.tally.done == latency.tally.due)
        #expect(latency.tally.latency.count == latency.tally.due)
      }
      for sample in cell.samples { try checkCourse(of: sample) }
      #expect(cell.samples.allSatisfy { $0.notes.contains { $0.contains("which are threads of its process") } })
      // Writers' rows are checked and removed, so that only the model's rows are in the store.
      #expect(cell.contents.figure?.rows == 3_000 && cell.failures.isEmpty)
    }
    #expect(try workspace.text(of: "out/latency.csv").contains(",threads,"))
    #expect(try workspace.text(of: "out/report.html").contains("2 threads of the cell"))
  }

  @Test("Rows of writers beside a cell do not count in its database's size")
  func databaseSize() async throws {
    let writers = "writers: 2, rate: 2000/s"
    let beside = try await run(try workspace(writers), "--quick")
    let alone = try await run(try workspace(writers), "--quick", "--set", "writers=0")
    try #require(beside.count == alone.count)
    for (beside, alone) in zip(beside, alone) {
      #expect(beside.latencies?.first?.tally.done ?? 0 > 0)
      let (found, expected) = (try #require(beside.databaseBytes.figure), try #require(alone.databaseBytes.figure))
      // The table and its index need at least two pages.
      #expect(abs(found - expected) <= 4_096, "\(beside.cell.id)")
    }
  }

  @Test("Without readers and writers, a scenario has its exact counters again")
  func nobody() async throws {
    let workspace = try workspace("readers: 1, rate: 100/s")
    for cell in try await run(workspace, "--quick", "--set", "readers=0") {
      #expect(cell.latencies == nil)
      #expect(cell.samples.contains { $0.pass == .counters })
    }
  }

  @Test("Commands that need a cell alone refuse one with readers or writers, and say how to choose another")
  func alone() async throws {
    let workspace = try workspace("readers: 1")
    for arguments in [
      ["pair", "this", "this", "--scenario", "small.yml", "--out", "p"], ["plan", "small.yml"],
      ["profile", "small.yml", "--cell", "insert", "--out", "p"],
    ] {
      let result = try await Program.batchmark.run(arguments, in: workspace.path)
      #expect(result.status == 64, "\(result.errors)")
      #expect(result.errors.contains("takes no cell with readers or writers beside it"))
      #expect(result.errors.contains("--set readers=0 --set writers=0"))
    }
  }
}
