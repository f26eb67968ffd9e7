// B13, D5: a disk that is really full, and a file that may not grow.
import Foundation
import MissionTags
import SQLiteDriver
import Testing

@Suite("B13 D5 · no room left for a process", .onlyWithProcesses, .tags(.b13, .d5))
struct FullDiskTests {
  private struct Outcome: Decodable, Equatable {
    let what: String
    var code: Int32?
    var message: String?
    var rowsStored: Int?
    var pending = 0

    /// Whether it failed with the code, and whether its message only names the cause or also what is stored.
    func isFailure(_ what: String, _ code: ResultCode) -> Bool {
      self.what == what && self.code == code.rawValue
        && message?.contains("stored its first") == (rowsStored != nil)
    }
  }

  /// The reports of the process, and the final contents of its store.
  private func outcomes(_ process: ChildProcess) throws -> [Outcome] {
    try #require(process.waitUntilExit())
    let lines = try process.lines()
    try #require(process.end == .exit(0), "\(lines.map { String(decoding: $0, as: UTF8.self) })")
    return lines.compactMap { try? JSONDecoder().decode(Outcome.self, from: $0) }
  }

  private func check(_ outcomes: [Outcome], code: ResultCode) throws {
    try #require(outcomes.count == 5)
    let stored = try #require(outcomes[0].rowsStored, "\(outcomes[0])")
    #expect(outcomes[0].isFailure("in several", code) && stored > 0 && stored < 20_000)
    #expect(outcomes[1].isFailure("in one transaction", code) && outcomes[1].rowsStored == nil)
    #expect(outcomes[2].isFailure("save", code) && outcomes[2].pending == 20_000)
    #expect(outcomes[3...] == [Outcome(what: "save again"), Outcome(what: "batch again")])
  }

  private func check(_ file: EntryFile, _ outcomes: [Outcome]) throws {
    let stored = outcomes[0].rowsStored ?? 0
    let named = "SELECT count(*) FROM ZENTRY WHERE ZCODE LIKE "
    #expect(try file.rows(named + "'before %'") == ["10"] && file.rows(named + "'saved %'") == ["20000"])
    #expect(try file.rows(named + "'several %'") == ["\(stored)"] && file.rows(named + "'one %'") == ["20000"])
    #expect(try file.rows("SELECT count(*) FROM ACHANGE") == ["\(40_010 + stored)"])
    #expect(try file.rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test("If a file may not grow, nothing is stored in part, and both save and batch work later")
  func fileSizeLimit() throws {
    let folder = try TemporaryFolder()
    let process = try ChildProcess(["fill", folder.path, "fileSizeLimit"], output: folder.path + "/lines")
    let outcomes = try outcomes(process)
    try check(outcomes, code: .ioError)
    try check(EntryFile(path: folder.path + "/store.sqlite"), outcomes)
  }

  @Test(
    "If a disk is full, nothing is stored in part, and both save and batch work later",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare"), "there is no way to mount a disk"))
  func smallDisk() throws {
    let program = try #require(ChildProcess.program)
    let folder = try TemporaryFolder()
    // A separate disk, which nothing else sees and which ends with the process.
    let script = """
      mount -t tmpfs -o size=48m none "$1" || exit 77
      dd if=/dev/zero of="$1/filler" bs=1M count=47 2> /dev/null
      "$0" fill "$1" smallDisk && cp "$1"/store.sqlite* "$2"
      """
    let disk = folder.path + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let process = try ChildProcess(
      ["-r", "-m", "sh", "-c", script, program, disk, folder.path], program: "/usr/bin/unshare",
      output: folder.path + "/lines")
    try #require(process.waitUntilExit())
    // A silent failure comes from unshare or mount; a crash of the program has another status.
    if process.end == .exit(1) || process.end == .exit(77), try process.lines().isEmpty {
      print("no disk can be mounted here, so none was filled")
      return
    }
    let outcomes = try outcomes(process)
    try check(outcomes, code: .full)
    try check(EntryFile(path: folder.path + "/store.sqlite"), outcomes)
  }
}
