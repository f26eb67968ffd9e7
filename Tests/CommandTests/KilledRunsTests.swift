// Many runs at once, each killed at random moments from a seed and resumed until it is complete.
import Foundation
import MissionTags
import StoreFixtures
import Synchronization
import Testing

@Suite("A6 · killed at random", .tags(.a6))
struct KilledRunsTests {
  private static let runs = isThorough ? 20 : 3
  private static let kills = isThorough ? 6 : 3

  @Test(
    "Runs at once, each killed and resumed, are all complete; no temporary file and no process is left",
    .timeLimit(.minutes(30)))
  func complete() async throws {
    let workspace = try Workspace()
    // Because of the log next to it, every reader of the store makes a private copy.
    try await workspace.makeStoreWithLog("app.sqlite", rows: 200)
    try FileManager.default.createDirectory(atPath: workspace.path + "/temporary", withIntermediateDirectories: true)
    let path = workspace.path
    let ends = try await withThrowingTaskGroup(of: [Int32].self) { group in
      for number in 1...KilledRunsTests.runs { group.addTask { try await KilledRun(number, in: path).run() } }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    for number in 1...KilledRunsTests.runs {
      let samples = try workspace.samples("out\(number)")
      #expect(samples.count == passes - 1 + KilledRun.rounds && Set(samples).count == samples.count, "\(samples)")
      #expect(workspace.exists("out\(number)/results.json"))
      #expect(!workspace.exists("out\(number)/stores"))
    }
    #expect(workspace.names(in: "temporary") == [])
    #expect(await workspace.processes() == [])
    #expect(workspace.names() == (["app.sqlite", "app.sqlite-wal", "made.yml", "temporary"] + outputs).sorted())
    // Not all of the seed's moments may come too late.
    #expect(ends.contains { $0 != 0 }, "no run was ended early")
  }

  private var outputs: [String] { (1...KilledRunsTests.runs).map { "out\($0)" } }

  /// One of the runs.
  private struct KilledRun {
    static let rounds = 3
    private let number: Int
    private let path: String
    private var state: UInt64

    init(_ number: Int, in path: String) {
      self.number = number
      self.path = path
      state = UInt64(number) &* 0x9e37_79b9_7f4a_7c15
    }

    /// Runs to the end.
    ///
    /// - Returns: The statuses of all its invocations.
    func run() async throws -> [Int32] {
      var run = self
      var ends: [Int32] = []
      var resumes = false
      while true {
        let begun = ["run", "--store", "app.sqlite", "--only", "insert-many", "--rounds", "\(KilledRun.rounds)"]
        let running = try Program.batchmark.start(
          begun + ["--out", "out\(number)"] + (resumes ? ["--resume"] : []), in: path,
          environment: ["TMPDIR": path + "/temporary"])
        if ends.count < KilledRunsTests.kills {
          try await Task.sleep(for: .milliseconds(Int(run.next() % 1_200)))
          running.send([SIGKILL, SIGKILL, SIGTERM, SIGINT, SIGHUP][Int(run.next() % 5)])
        }
        let result = try await running.end()
        ends.append(result.status)
        switch result.status {
        case 0: return ends
        case 130, -SIGKILL, -SIGTERM, -SIGINT, -SIGHUP: resumes = FileManager.default.fileExists(atPath: out)
        case 66 where resumes:
          // If it ended before its journal began, the folder is removed, as the message says.
          try FileManager.default.removeItem(atPath: out)
          resumes = false
        default: throw Unexpected(status: result.status, errors: result.errors)
        }
      }
    }

    private var out: String { "\(path)/out\(number)" }

    private mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state >> 8
    }
  }

  private struct Unexpected: Error {
    let status: Int32
    let errors: String
  }
}
