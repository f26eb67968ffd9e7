// Programs in Python for tests: those of the repository, and faulty ones.
import BatchmarkEngine
import Foundation
import Harness
import Programs
import Scenarios
import Testing

/// A folder with a program, and samples of it.
final class PythonProgram {
  /// Whether there is a Python to run them.
  static let isPossible =
    (try? ProgramDefinition(
      ProgramDeclaration(name: "python", command: ["python3", "sqlite3_engine.py"]), in: helperFolder)) != nil
  static let missing: Comment = "there is no python3 with a sqlite3 module here"

  private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let helperFolder = repository.appending(path: "Scenarios/engines/python").path

  let folder: String
  let declaration: ProgramDeclaration

  /// The repository's engine, in a folder with this prefix.
  static func sqlite3(in folder: String = "program") throws -> PythonProgram {
    try PythonProgram(
      ProgramDeclaration(name: "python", command: ["python3", "\(helperFolder)/sqlite3_engine.py"]), in: folder)
  }

  /// The repository's engine with some of its work replaced: methods of a subclass, or lines of the module.
  static func faulty(_ methods: String = "", module: String = "") throws -> PythonProgram {
    let body = methods.isEmpty ? "pass" : methods
    let text = """
      import json, os, subprocess, sys, time, sqlite3
      import batchmark_engine, sqlite3_engine
      strategies = [dict(strategy) for strategy in sqlite3_engine.STRATEGIES]
      def say(line):
          os.write(4, line.encode())
      class Faulty(sqlite3_engine.SQLite3):
      \(body.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
      \(module)
      batchmark_engine.serve(batchmark_engine.hello("faulty", "1", strategies, sqlite3.connect(":memory:")), Faulty)
      """
    let program = try PythonProgram(
      ProgramDeclaration(name: "python", command: ["python3", "faulty.py"], environment: ["PYTHONPATH": helperFolder]))
    try Data(text.utf8).write(to: URL(filePath: program.folder + "/faulty.py"))
    return program
  }

  init(_ declaration: ProgramDeclaration, in folder: String = "program") throws {
    self.declaration = declaration
    self.folder = FileManager.default.temporaryDirectory.path + "/\(folder)-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Its description of itself.
  func definition(limits: ProgramLimits = ProgramLimits()) throws -> ProgramDefinition {
    try ProgramDefinition(declaration, in: folder, limits: limits)
  }

  /// Takes a timed sample in this process.
  ///
  /// The sample's own checks compare the store with contents computed from the rows alone.
  func sample(
    strategy: String = "save", rows: Int = 60, more: String = "", limits: ProgramLimits = ProgramLimits()
  ) throws -> Sample {
    try ProgramEngine(definition(), limits: limits).sample(strategy, rows: rows, more, in: folder)
  }
}

extension ProgramEngine {
  /// Takes a timed sample of an insert, or of the operation in additional keys of the scenario.
  ///
  /// The scenario may be changed.
  func sample(
    _ strategy: String, rows: Int, _ more: String = "", in folder: String, changing change: (String) -> String = { $0 }
  ) throws -> Sample {
    let text = change(
      """
      scenario: test
      model:
        Quake:
          attributes:
            code: {type: string}
            magnitude: {type: double, optional: true}
            place: {type: string, optional: true, default: nowhere}
            time: {type: date}
          unique: [[code]]
      entity: Quake
      source: {generate: {rows: \(rows)}}
      merge_policy: object_trump
      store: {journal_mode: wal, synchronous: normal}
      cells:
        - {engine: \(name), strategy: \(strategy)}
      measure: {warm_up: 0}
      \(more)
      """)
    let scenario = try ScenarioReader(schema: ScenarioSchema([self])).read(text: text, file: "test.yml")
    let directory = "\(folder)/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    guard let cell = scenario.cells.first else { throw CocoaError(.coderValueNotFound) }
    return try SampleTaker(engines: [self]).take(
      SampleJob(
        scenarioText: text, scenarioFile: "test.yml", overrides: [], cell: cell, pass: .timing, round: 1,
        directory: directory))
  }
}
