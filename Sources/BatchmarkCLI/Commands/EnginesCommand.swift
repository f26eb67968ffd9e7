// `engines`: lists the engines that are programs and checks whether they can run here and follow the protocol.
internal import Analysis
internal import ArgumentParser
internal import Foundation
internal import Harness
internal import Programs
internal import Reports
internal import Scenarios
internal import Support

struct EnginesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engines",
    abstract: "List and check engines that are programs, which a file of engines names.",
    discussion: """
      'list' starts each program once and shows what it offers, or what is missing. 'check' stores rows of every \
      kind in small stores, and reports each rule of the protocol that the program breaks.

      Exit statuses of check: 0 all rules are kept; 3 a rule is broken; 66 no engine is here, or not one that you \
      named.
      """,
    examples: [
      CommandExample("engines list", "Which engines are there, and what is missing?"),
      CommandExample("engines check python-sqlite3", "Does this one follow the protocol?"),
    ],
    subcommands: [EnginesListCommand.self, EnginesCheckCommand.self], defaultSubcommand: EnginesListCommand.self)
}

/// The selected engines, and their file.
struct ProgramSelection: ParsableArguments {
  @Argument(help: "Names of engines; all of the file without any.")
  var names: [String] = []

  @Option(
    name: .customLong("engines"),
    help: ArgumentHelp("The file of engines; Scenarios/engines/engines.yml by default.", valueName: "file"),
    completion: .file(extensions: ScenarioFiles.extensions))
  var file: String?

  /// A program, or the reason why it cannot be used.
  struct Found {
    let name: String
    let program: Result<ProgramDefinition, ProgramError>
  }

  /// Starts the selected programs.
  ///
  /// - Throws: ``CommandError`` if the file does not have a name, and the errors of the file.
  func find() throws -> [Found] {
    let path =
      try file
      ?? ScenarioLoading.repositoryPath(of: ProgramSelection.standardFile, otherwise: "name one with --engines")
    let declared = try EngineFile(file: path)
    let known = declared.engines.map(\.name)
    for name in names where !known.contains(name) {
      throw CommandError(
        .usage, "found the engine '\(name)'; expected one of \(path): \(known.joined(separator: ", "))")
    }
    return declared.engines.filter { names.isEmpty || names.contains($0.name) }.map { declaration in
      Found(
        name: declaration.name,
        program: Result { () throws(ProgramError) in try ProgramDefinition(declaration, in: declared.folder) })
    }
  }

  private static let standardFile = "Scenarios/engines/engines.yml"
}

extension ProgramDefinition {
  /// A description with its versions.
  fileprivate var words: String {
    let sqlite = hello.sqlite.map { ", SQLite \($0.version)" } ?? ""
    return "\(name) (\(hello.identity)\(sqlite))".onOneLine
  }
}

struct EnginesListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show what each engine offers, or what is missing.",
    examples: [CommandExample("engines list --engines my-engines.yml", "The engines of a file of your own.")])

  @OptionGroup var selection: ProgramSelection

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func run() throws {
    var document = EnginesDocument()
    for found in try selection.find() {
      switch found.program {
      case .success(let definition):
        let lines = [definition.words] + ListCommand.lines(of: try ProgramEngine(definition))
        try format.output(lines.joined(separator: "\n") + "\n")
        document.engines.append(EnginesDocument.Engine(name: found.name, hello: definition.hello))
      case .failure(let error):
        try format.output("\(found.name) is not here: \(error.reason)".onOneLine + "\n")
        document.engines.append(EnginesDocument.Engine(name: found.name, missing: error.reason))
      }
    }
    try format.document(document, .success)
  }
}

/// The output of `engines list` for programs.
struct EnginesDocument: CommandDocument {
  static let title = "Engines that are programs"

  struct Engine: Codable {
    var name: String
    /// Its own description, as in the protocol.
    var hello: ProgramHello?
    /// Why it cannot run here.
    var missing: String?
  }

  var engines: [Engine] = []
}

struct EnginesCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Store rows of every kind with each engine, and report each broken rule.",
    examples: [CommandExample("engines check", "Check every engine that is here.")])

  @OptionGroup var selection: ProgramSelection

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func run() throws {
    let found = try selection.find()
    var document = ConformanceDocument()
    var statuses: [CommandStatus] = []
    for found in found {
      switch found.program {
      case .failure(let error):
        if selection.names.isEmpty {
          try format.output("\(found.name) is not here: \(error.reason)".onOneLine + "\n")
        } else {
          Console.complain(lines: CommandError(error).lines)
          statuses.append(.unreadableFile)
        }
        document.engines.append(ConformanceDocument.Engine(name: found.name, missing: error.reason))
      case .success(let definition):
        let outcomes = try check(definition)
        document.engines.append(
          ConformanceDocument.Engine(
            name: found.name, rules: outcomes.count,
            broken: outcomes.compactMap { outcome in
              outcome.problem.map {
                ConformanceDocument.BrokenRule(strategy: outcome.strategy, rule: outcome.rule, problem: $0)
              }
            }))
      }
    }
    if selection.names.isEmpty && document.engines.allSatisfy({ $0.rules == nil }) {
      try format.document(document, .unreadableFile)
      throw CommandError(
        .unreadableFile,
        "found none of \(HumanUnits.counted(found.count, "engine")); expected at least one: the lines above say what is missing"
      )
    }
    if document.engines.contains(where: { !$0.broken.isEmpty }) { statuses.append(.failedSamples) }
    throw CommandEnd(try format.document(document, .first(of: statuses)))
  }

  /// Checks a program, and prints the rules that it breaks.
  private func check(_ definition: ProgramDefinition) throws -> [ConformanceOutcome] {
    let folder = try PrivateFolder()
    let check = try ConformanceCheck(definition, executable: Executable.path, directory: folder.path)
    var outcomes: [ConformanceOutcome] = []
    check.run { outcomes.append($0) }
    let broken = outcomes.filter { $0.problem != nil }
    try format.output("\(definition.words): \(outcomes.count - broken.count) of \(outcomes.count) rules are kept\n")
    for line in EnginesCheckCommand.lines(of: broken) { try format.output("  \(line.onOneLine)\n") }
    return outcomes
  }

  /// A line for each broken rule.
  ///
  /// Rules broken by the same mistake share a line, which names the first of them.
  static func lines(of broken: [ConformanceOutcome]) -> [String] {
    var mistakes: [(strategy: String?, problem: String?, rules: [String])] = []
    for outcome in broken {
      let same = mistakes.firstIndex { $0.strategy == outcome.strategy && $0.problem == outcome.problem }
      if let same {
        mistakes[same].rules.append(outcome.rule)
      } else {
        mistakes.append((outcome.strategy, outcome.problem, [outcome.rule]))
      }
    }
    return mistakes.map { strategy, problem, rules in
      let others = rules.count > 1 ? " (and \(HumanUnits.counted(rules.count - 1, "other rule")))" : ""
      return "\(strategy.map { "\($0): " } ?? "")\(rules[0])\(others): \(problem ?? "")"
    }
  }
}

/// The output of `engines check` for programs.
struct ConformanceDocument: CommandDocument {
  static let title = "Engines that are programs, checked by the rules of the protocol"

  struct BrokenRule: Codable {
    /// Absent for rules about the whole program.
    var strategy: String?
    var rule: String
    var problem: String
  }

  struct Engine: Codable {
    var name: String
    /// Why it cannot run here.
    var missing: String?
    /// The number of checked rules; absent if the program is missing.
    var rules: Int?
    var broken: [BrokenRule] = []
  }

  var engines: [Engine] = []
}
