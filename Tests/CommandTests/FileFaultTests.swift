// Every call of a run for its journal, its report and its exports fails, either once or from then on. No file is left
// incomplete, and the message's advice works.
import Foundation
import MissionTags
import StoreFixtures
import Testing

#if os(Linux)
  @Suite("A5 A6 · a call on a run's files fails", .tags(.a5, .a6))
  struct FileFaultTests {
    @Test(
      "Whichever call fails, following the message's advice gives the same files, with every sample once",
      .timeLimit(.minutes(30)))
    func advice() async throws {
      let clean = try FaultedRun()
      let calls = try await clean.countCalls()
      #expect(calls > 40, "\(calls) calls")
      let expected = try clean.files()
      let step = isThorough ? 1 : 20
      let faults = stride(from: 1, through: calls, by: step).flatMap { number in
        [FileFault(number: number, error: EIO), FileFault(number: number, error: ENOSPC, isLasting: true)]
      }
      let ends = try await withThrowingTaskGroup(of: FaultedRun.End.self) { group in
        for fault in faults {
          group.addTask {
            let run = try FaultedRun()
            let end = try await run.end(after: fault)
            #expect(try run.files() == expected, "\(fault)")
            return end
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      if !isThorough { return }
      // Every way to continue must be tested.
      #expect(Set(ends) == Set(FaultedRun.End.allCases))
      print("files of a run: \(faults.count) faults of \(calls) calls, all survived")
    }
  }

  /// The call that fails, counted from 1, and, if the fault is permanent, all calls after it.
  private struct FileFault {
    var number: Int
    var error: Int32
    var isLasting = false

    var environment: [String: String] {
      [
        "FILE_FAULT_NUMBER": "\(number)", "FILE_FAULT_ERROR": "\(error)", "FILE_FAULT_LASTING": isLasting ? "1" : "0",
      ]
    }
  }

  /// A small run in its own folder.
  private struct FaultedRun {
    /// How the run was completed.
    enum End: CaseIterable { case survived, begunAgain, otherFolder, otherFile, resumed, reported, exported }

    private let workspace: Workspace
    private let words = ["run", "small.yml", "--quick", "--seed", "1", "--out", "out"]
    private let exports = ["--export-json", "made.json", "--export-csv", "made.csv"]

    init() throws {
      workspace = try Workspace()
      try workspace.writeScenario()
    }

    /// Runs without a fault.
    func countCalls() async throws -> Int {
      let log = workspace.path + "/calls"
      let result = try await run(words + exports, ["FILE_FAULT_FOLDER": workspace.path, "FILE_FAULT_LOG": log])
      try #require(result.status == 0, "\(result.errors)")
      let calls = try workspace.text(of: "calls").split(separator: "\n").count
      try FileManager.default.removeItem(atPath: log)
      return calls
    }

    /// Runs with the fault, then follows the message.
    func end(after fault: FileFault) async throws -> End {
      let environment = fault.environment.merging(["FILE_FAULT_FOLDER": workspace.path]) { $1 }
      let failed = try await run(words + exports, environment)
      #expect(partialFiles == [], "\(fault)")
      if failed.status == 0 { return .survived }
      #expect(failed.status == 73, "\(fault): status \(failed.status), \(failed.errors)")
      let resuming = [Program.faulty.path, "run", "--resume", "--out", workspace.path + "/out"]
      let (end, words) = try #require(
        next(after: failed.errors, resuming: resuming.joined(separator: " ")), "\(fault): \(failed.errors)")
      let result = try await run(words ?? Array(resuming.dropFirst()) + ["--force"] + exports, [:])
      #expect(result.status == 0, "\(fault): \(failed.errors)\(result.errors)")
      if end == .otherFolder {
        try FileManager.default.moveItem(atPath: workspace.path + "/other", toPath: workspace.path + "/out")
      }
      if end == .otherFile {
        for suffix in ["json", "csv"] {
          try FileManager.default.moveItem(
            atPath: workspace.path + "/other." + suffix, toPath: workspace.path + "/made." + suffix)
        }
      }
      return end
    }

    /// The advice of the message; nil words mean that the run is resumed.
    private func next(after message: String, resuming: String) -> (End, [String]?)? {
      if message.contains("or name another folder with --out, and run again") { return (.begunAgain, words + exports) }
      if message.contains("no file can be made in the folder"), message.contains("name another file") {
        return (.otherFile, words + exports.map { $0.replacing("made.", with: "other.") })
      }
      if message.contains("choose another folder with --out") {
        return (.otherFolder, words.dropLast() + ["other"] + exports)
      }
      if message.contains("what was measured is kept: fix this, and continue with --resume") { return (.resumed, nil) }
      if message.contains("the samples are kept: fix this, and write the report with \(resuming)\n") {
        return (.reported, nil)
      }
      if message.contains("the samples are kept: \(resuming) --export-") { return (.exported, nil) }
      return nil
    }

    private func run(_ words: [String], _ environment: [String: String]) async throws -> Program.Result {
      try await Program.faulty.run(words, in: workspace.path, environment: environment)
    }

    /// Incomplete files.
    private var partialFiles: [String] {
      (workspace.names() + workspace.names(in: "out")).filter { $0.hasSuffix(".partial") }
    }

    /// The names of all files, and the contents that are the same in every run.
    func files() throws -> [String] {
      var found = workspace.names() + workspace.names(in: "out")
      found += try workspace.samples("out").sorted()
      for name in ["made.json", "out/results.json"] {
        let data = Data(try workspace.text(of: name).utf8)
        let results = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        found.append("\(name): \((results["samples"] as? [Any])?.count ?? 0) samples")
      }
      for name in ["made.csv", "out/summary.csv", "out/samples.csv", "out/growth.csv"] {
        found.append("\(name): \(try workspace.text(of: name).split(separator: "\r\n").count) lines")
      }
      #expect(try workspace.text(of: "out/report.md").hasSuffix("\n"))
      return found
    }
  }
#endif
