// The engine in C, built for tests: unchanged, or with some of its work replaced.
import Foundation
import Harness
import Programs
import Scenarios
import Testing

/// A folder with a built program, and samples of it.
final class CProgram {
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let source = repository.appending(path: "Scenarios/engines/c")

  static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")
  static let missing: Comment = "there is no compiler of C here"

  let folder: String
  let engine: ProgramEngine

  /// Builds one of the repository's engines with a text of its file replaced.
  init(
    _ file: String = "sqlite_engine.c", replacing text: String = "", with other: String = "",
    limits: ProgramLimits = ProgramLimits()
  ) throws {
    folder = FileManager.default.temporaryDirectory.path + "/program-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var code = try String(contentsOf: CProgram.source.appending(path: file), encoding: .utf8)
    if !text.isEmpty {
      try #require(code.contains(text))
      code = code.replacing(text, with: other)
    }
    try Data(code.utf8).write(to: URL(filePath: folder + "/engine.c"))
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/cc")
    compiler.arguments = [
      "-O1", "-I", CProgram.source.path, "-o", folder + "/engine", folder + "/engine.c", "-lsqlite3",
    ]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0)
    engine = try ProgramEngine(
      ProgramDefinition(ProgramDeclaration(name: "c", command: ["./engine"]), in: folder), limits: limits)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Takes a timed sample in this process.
  func sample(_ strategy: String, rows: Int = 60, _ more: String = "") throws -> Sample {
    try engine.sample(strategy, rows: rows, more, in: folder)
  }
}
