// B13, C2, D2, D5, D11: every call of SQLite for files and memory fails in turn, in each workload.
import Foundation
import MissionTags
import Testing

@Suite(
  "B13 C2 D2 D5 D11 · every call of files and of memory fails", .onlyWithProcesses, .tags(.b13, .c2, .d2, .d5, .d11))
struct FaultTests {
  /// The workloads of FaultProcess.
  static let workloads = [
    "create", "save", "save with relationships", "update", "delete", "save, rollback journal", "save through children",
    "save through children, rollback journal",
    "batch insert, dictionaries", "batch insert, dictionary handler", "batch insert, object handler", "batch update",
    "batch delete", "history purge", "several stores", "bounded log", "migration in place", "migration by copies",
    "migration, rollback journal", "deferred migration", "staged migration", "end of a deferred migration",
  ]

  @Test("The list of workloads is complete")
  func list() throws {
    let folder = try TemporaryFolder()
    let process = try ChildProcess(["list"], program: FaultRun.program, output: folder.path + "/lines")
    try #require(process.waitUntilExit())
    #expect(try process.lines().map { String(decoding: $0, as: UTF8.self) } == FaultTests.workloads)
  }

  @Test(
    "Nothing is lost or stored in part, the context keeps its changes, and the next attempt succeeds",
    arguments: workloads)
  func loop(_ workload: String) throws {
    // Opening a store takes longer than most other work.
    let run = try FaultRun(workload, every: isThorough ? 1 : workload.contains("migration") ? 60 : 20)
    let lines = try run.lines()
    for line in lines { print(line) }
    // Each kind of fault, once and lasting, and a power failure.
    #expect(lines.count == 9)
    for line in lines {
      #expect(line.findings == [], "\(line)")
      #expect(line.tally.survived == line.tally.tried, "\(line)")
    }
    #expect(lines.contains { $0.tally.tried > 0 })
  }
}

/// A line of FaultProcess, with the crashes that it cannot report itself.
struct FaultLine: Decodable, CustomStringConvertible {
  struct Tally: Decodable {
    var tried = 0
    var survived = 0
    var lost = 0
    var torn = 0
    var stuck = 0
    var notes: [String] = []

    static func + (left: Tally, right: Tally) -> Tally {
      Tally(
        tried: left.tried + right.tried, survived: left.survived + right.survived, lost: left.lost + right.lost,
        torn: left.torn + right.torn, stuck: left.stuck + right.stuck, notes: left.notes + right.notes)
    }
  }

  let workload: String
  let fault: String
  let isLasting: Bool
  let calls: Int
  let stride: Int
  var tally: Tally
  /// The calls whose failures crashed the process.
  var crashes: [Int]?

  /// Faults that were not survived, by the number of the call.
  var findings: [String] { tally.notes + (crashes ?? []).map { "call \($0) crashed" } }

  var description: String {
    let part = stride == 1 ? "" : ", one of \(stride)"
    return
      "faults: \(workload): \(fault) \(isLasting ? "from on" : "once"): \(calls) calls\(part); tried \(tally.tried), "
      + "survived \(tally.survived), lost \(tally.lost), torn \(tally.torn), stuck \(tally.stuck), "
      + "crashed \(crashes?.count ?? 0)"
  }
}

/// A FaultProcess that is started again after each fault that crashes it.
struct FaultRun {
  private struct Place: Decodable {
    struct Point: Decodable {
      let fault: String
      let isLasting: Bool
      let number: Int
    }

    let point: Point
    let stride: Int
    let calls: Int
    let tally: FaultLine.Tally
  }

  /// The program is next to the other one.
  static let program = ChildProcess.program.map {
    URL(fileURLWithPath: $0).deletingLastPathComponent().path + "/FaultProcess"
  }

  private let workload: String
  private let every: Int
  private let folder: TemporaryFolder

  init(_ workload: String, every: Int) throws {
    self.workload = workload
    self.every = every
    folder = try TemporaryFolder()
  }

  /// Runs the loop to its end, however often it crashes.
  func lines() throws -> [FaultLine] {
    var lines: [FaultLine] = []
    var crashed: FaultLine?
    var start: [String] = []
    for _ in 0..<20 {
      let process = try ChildProcess(
        [workload, folder.path, "\(every)"] + start, program: FaultRun.program, output: folder.path + "/lines")
      let hasEnded = process.waitUntilExit(seconds: 2_000)
      let output = try process.lines()
      for var line in output.compactMap({ try? JSONDecoder().decode(FaultLine.self, from: $0) }) {
        if let before = crashed, before.fault == line.fault, before.isLasting == line.isLasting {
          line.tally = before.tally + line.tally
          line.crashes = before.crashes
        }
        crashed = nil
        lines.append(line)
      }
      if process.end == .exit(0) { return lines }
      guard !hasEnded || process.end != .exit(1) && process.end != .exit(64) && process.end != .exit(70) else {
        throw Failure(what: output.map { String(decoding: $0, as: UTF8.self) })
      }
      // Either it crashed, or the loop does not end.
      if !hasEnded { process.kill() }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/place"))
      let place = try JSONDecoder().decode(Place.self, from: bytes)
      var tally = place.tally
      tally.tried += 1
      let isSame = crashed?.fault == place.point.fault && crashed?.isLasting == place.point.isLasting
      crashed = FaultLine(
        workload: workload, fault: place.point.fault, isLasting: place.point.isLasting, calls: place.calls,
        stride: place.stride, tally: isSame ? (crashed?.tally ?? FaultLine.Tally()) + tally : tally,
        crashes: (isSame ? crashed?.crashes ?? [] : []) + [place.point.number])
      start = [
        place.point.fault, place.point.isLasting ? "lasting" : "once", "\(place.point.number + place.stride)",
      ]
    }
    return lines + (crashed.map { [$0] } ?? [])
  }

  struct Failure: Error { let what: [String] }
}
