// Limits that only root can set for a program: memory with a control group, and file systems with a namespace.
import Foundation
import MissionTags
import Testing

@Suite(
  "A6 · limits that root can set", .tags(.a6),
  .enabled(if: Root.canMountFileSystems, "needs root and /usr/bin/unshare"))
struct RootLimitTests {
  /// Runs with other file systems, mounted by these lines, in a workspace outside of the folder for temporary files.
  private func run(
    _ arguments: [String], mounting lines: String, cells: [String] = ["{engine: sqlite, strategy: insert}"]
  ) async throws -> (result: Program.Result, workspace: Workspace) {
    let workspace = try Workspace(in: "/var/tmp")
    try workspace.writeScenario(cells: cells, rounds: 1)
    let result = try await Program.batchmark.after(lines, in: [Root.unshare, "-m"]).run(
      arguments, in: workspace.path)
    return (result, workspace)
  }

  @Test("Without a temporary folder, commands that need one say so, and a run does not need it")
  func temporaryFiles() async throws {
    // Do not replace /tmp, which may contain the package.
    let mount = "mkdir none; export TMPDIR=$PWD/none; mount -t tmpfs -o ro none \"$TMPDIR\""
    let (plan, planned) = try await run(["plan", "small.yml"], mounting: mount)
    #expect(plan.status == 73)
    #expect(
      plan.errors == "batchmark: no folder for temporary files can be made in \(planned.path)/none: "
        + "Read-only file system; name a folder that can be written with TMPDIR\n")
    let (doctor, looked) = try await run(["doctor"], mounting: mount)
    #expect(doctor.status == 70)
    #expect(doctor.output.contains("fail  workers: no folder for temporary files can be made in \(looked.path)/none"))
    let (measured, workspace) = try await run(["run", "small.yml", "--out", "out"], mounting: mount)
    #expect(measured.status == 0, "\(measured.errors)")
    #expect(workspace.exists("out/report.md"))
  }

  @Test("Without /proc a command says so, and does nothing")
  func withoutProc() async throws {
    let (result, workspace) = try await run(["run", "small.yml", "--out", "out"], mounting: "umount -l /proc")
    #expect(result.status == 70)
    #expect(
      result.errors.hasSuffix(
        ": found no /proc here, from which a process learns what it uses; mount it\n"), "\(result.errors)")
    #expect(result.output.isEmpty && !workspace.exists("out"))
  }

  @Test(
    "With 64 MiB of memory a run works, with less it says so, and a worker that takes more is a failed sample",
    .enabled(if: Root.memoryGroups != nil, "needs a memory control group that can be divided"))
  func memory() async throws {
    let enough = try await run(mebibytes: 64, cell: "{engine: objectgraph, strategy: save}")
    #expect(enough.status == 0, "\(enough.errors)")
    let tooLittle = try await run(mebibytes: 24, cell: "{engine: objectgraph, strategy: save}")
    #expect(tooLittle.status == 70)
    #expect(
      tooLittle.errors.hasPrefix(
        "batchmark: found a limit of 24.0 MiB for the control group's memory; expected at least"))
    let greedy = try await run(mebibytes: 32, cell: "{engine: objectgraph, strategy: save}", rows: 120_000)
    #expect(greedy.status == 3, "\(greedy.errors)")
    #expect(greedy.errors.contains("killed by signal 9 (SIGKILL, perhaps for want of memory)"), "\(greedy.errors)")
  }

  private func run(mebibytes: Int, cell: String, rows: Int = 60) async throws -> Program.Result {
    let group = try #require(Root.memoryGroups) + "/batchmark-test-\(UUID().uuidString)"
    mkdir(group, 0o755)
    defer { rmdir(group) }
    for name in ["memory.limit_in_bytes", "memory.max"] where FileManager.default.fileExists(atPath: group + "/" + name)
    {
      try Data("\(mebibytes << 20)".utf8).write(to: URL(fileURLWithPath: group + "/" + name))
    }
    let workspace = try Workspace()
    try workspace.writeScenario(cells: [cell], source: "{generate: {rows: \(rows)}}", rounds: 1)
    return try await Program.batchmark.after("echo $$ > '\(group)/cgroup.procs'").run(
      ["run", "small.yml", "--quick", "--out", "out"], in: workspace.path)
  }
}

/// The rights of root on this machine.
private enum Root {
  static let unshare = "/usr/bin/unshare"
  static let canMountFileSystems = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: unshare) && canMount

  /// In a container, root may lack its rights.
  private static let canMount: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: unshare)
    process.arguments = ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// The folder in which groups with a memory limit can be made, in either version; nil if there is none.
  static let memoryGroups: String? = {
    for folder in ["/sys/fs/cgroup/memory", "/sys/fs/cgroup"] {
      let group = "\(folder)/batchmark-probe-\(UUID().uuidString)"
      guard mkdir(group, 0o755) == 0 else { continue }
      defer { rmdir(group) }
      let files = ["memory.limit_in_bytes", "memory.max"].map { "\(group)/\($0)" }
      if files.contains(where: { access($0, W_OK) == 0 }) { return folder }
    }
    return nil
  }()
}
