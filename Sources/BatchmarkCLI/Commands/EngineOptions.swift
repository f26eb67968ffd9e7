// `--engines`, an option of every command that measures, checks or lists scenarios with engines that are programs.
internal import ArgumentParser
internal import BatchmarkEngine
internal import Foundation
internal import Harness
internal import Programs
internal import Scenarios

/// The programs that scenarios may name as engines.
struct EngineOptions: ParsableArguments {
  @Option(
    name: .customLong("engines"),
    help: ArgumentHelp(
      "Read engines that are programs from this file; each one that the scenarios name is started once to ask what it offers.",
      valueName: "file"), completion: .file(extensions: ScenarioFiles.extensions))
  var file: String?

  /// Runs a command with the engines of the file added to those of the executable.
  ///
  /// - Parameters:
  ///   - paths: Scenario files or folders. Only engines that they name are started; `nil` starts all of them.
  ///   - body: The work.
  /// - Throws: Errors of the file or of a program, or what the body throws.
  func add(namedIn paths: [String]?, _ body: () throws -> Void) throws {
    guard let file else { return try body() }
    let declared = try EngineFile(file: file)
    let words = try paths.map {
      try ScenarioFiles.find(in: $0).map { EngineOptions.words(of: try ScenarioFiles.text(of: $0)) }
    }
    var engines = Batchmark.engines
    var absent: [String: String] = [:]
    for declaration in declared.engines {
      guard words?.contains(where: { $0.contains(declaration.name) }) ?? true else { continue }
      guard !engines.contains(where: { $0.name == declaration.name }) else {
        throw CommandError(
          .invalidFile,
          "\(file): found the engine '\(declaration.name)', which this executable has; give it another name")
      }
      do throws(ProgramError) {
        engines.append(
          try ProgramEngine(ProgramDefinition(declaration, in: declared.folder, sqlite: Batchmark.library?.path)))
      } catch {
        absent[declaration.name] = error.reason
      }
    }
    try Batchmark.$enginesFile.withValue(file) {
      try Batchmark.$absences.withValue(EngineAbsences(reasons: absent)) {
        try Batchmark.$engines.withValue(engines) { try body() }
      }
    }
  }

  /// The words of a text that may be names of engines.
  private static func words(of text: String) -> Set<String> {
    Set(text.split { !isName(String($0)) }.map(String.init))
  }
}
