// `list`: the engines, strategies and parameters, and the scenarios; or the metrics; or the keys.
internal import BatchmarkEngine
internal import Analysis
internal import ArgumentParser
internal import Foundation
internal import Harness
internal import Instruments
internal import Reports
internal import Scenarios

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List engines with their strategies, and scenarios with their cells; or metrics; or keys.",
    examples: [
      CommandExample("list", "Every engine with its strategies, and the scenarios here."),
      CommandExample("list my.yml", "The cells of a scenario, and the strategies that they use."),
      CommandExample("list --keys", "Everything that a scenario file may say."),
      CommandExample("list Scenarios --format json", "Engines and cells for a program."),
    ])

  @Argument(
    help:
      "Scenario files, or folders of them, with the engines and strategies of their cells; without any, the folder Scenarios, and all engines."
  )
  var paths: [String] = []

  @OptionGroup var engines: EngineOptions

  @Flag(help: "List only the metrics beside time, each with its unit and its pass.")
  var metrics = false

  @Flag(help: "List what a scenario file may say, and nothing else: each key with its place, value and default.")
  var keys = false

  @Option(
    help: ArgumentHelp("How it is written: table, json for programs, or of the keys markdown.", valueName: "format"))
  var format: Format?

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, markdown, json
  }

  func validate() throws {
    if metrics && keys { throw ValidationError("found --metrics and --keys; expected one of them") }
    if metrics || keys, let path = paths.first {
      throw ValidationError("found \(path), while --metrics and --keys list what every scenario has; leave it out")
    }
    if format == .markdown && !keys {
      throw ValidationError("found --format markdown without --keys; expected both, or another format")
    }
  }

  func run() throws { try engines.add(namedIn: paths.isEmpty ? nil : paths, list) }

  private func list() throws {
    if keys {
      if format == .json { return try finish(ListDocument(keys: Batchmark.schema), []) }
      let reference = KeyReference(Batchmark.schema)
      return try Console.output(format == .markdown ? reference.markdown : reference.text)
    }
    if metrics {
      let metrics = MetricDeclaration.all + MetricDeclaration.latencies
      if format == .json { return try finish(ListDocument(metrics: metrics), []) }
      return try Console.output(ListCommand.text(of: metrics))
    }
    let files = try paths.isEmpty ? defaultFiles() : ScenarioFiles.find(in: paths)
    let reader = ScenarioReader(schema: Batchmark.schema)
    var scenarios: [(file: String, result: Result<Scenario, any Error>)] = []
    for file in files { scenarios.append((file, Result { try reader.read(file: file) })) }
    let cells = scenarios.compactMap { try? $0.result.get() }.flatMap(\.cells)
    let used = paths.isEmpty ? nil : cells
    var document = ListDocument(engines: Batchmark.engines, usedBy: used)
    if format != .json { try Console.output(ListCommand.text(of: Batchmark.engines, usedBy: used)) }
    var statuses: [CommandStatus] = []
    for (file, result) in scenarios {
      do {
        let scenario = try result.get()
        document.scenarios?.append(ListDocument.ScenarioEntry(scenario))
        if format != .json { try Console.output("\n" + ListCommand.text(of: scenario)) }
        for line in AbsentEngine.sentences(of: scenario.absentEngines) { Console.complain("\(file): \(line)") }
      } catch {
        let error = CommandError(error)
        Console.complain(lines: error.lines)
        statuses.append(error.status)
      }
    }
    try finish(document, statuses)
  }

  /// Ends the command, with its document if the output is for a program.
  private func finish(_ document: ListDocument, _ statuses: [CommandStatus]) throws {
    let output: OutputFormat = format == .json ? .json : .text
    throw CommandEnd(try output.document(document, .first(of: statuses)))
  }

  /// The files next to the default suite; empty if its folder does not exist.
  private func defaultFiles() throws -> [String] {
    guard let suite = try? ScenarioLoading.defaultPath() else { return [] }
    let folder = URL(fileURLWithPath: suite).deletingLastPathComponent().relativePath
    return try ScenarioFiles.find(in: [suite == ScenarioLoading.defaultSuite ? "Scenarios" : folder])
  }

  /// The engines with their strategies: those used by the cells, or all.
  static func text(of engines: [any Engine], usedBy cells: [Cell]? = nil) -> String {
    let common = Cell.commonParameters.map { "\($0.name)=\($0.parameter.choice)" }.joined(separator: ", ")
    let parts = engines.compactMap { engine -> String? in
      let lines = lines(of: engine, usedBy: cells)
      return lines.isEmpty && cells != nil ? nil : ([engine.name] + lines).joined(separator: "\n") + "\n"
    }
    return parts.isEmpty && cells != nil ? "" : parts.joined(separator: "\n") + "\nevery strategy (\(common))\n"
  }

  /// A line for each strategy of an engine, by operation: those used by the cells, or all.
  static func lines(of engine: any Engine, usedBy cells: [Cell]? = nil) -> [String] {
    let strategies = strategies(of: engine, usedBy: cells)
    let width = strategies.map(\.name.count).max() ?? 0
    return BatchmarkEngine.Operation.Kind.allCases.flatMap { operation -> [String] in
      let lines = strategies.filter { $0.operation == operation }.map { line(of: $0, width: width) }
      // A scenario without an operation is an insert.
      return operation == .insert || lines.isEmpty ? lines : ["  with operation: \(operation.rawValue)"] + lines
    }
  }

  /// The strategies of an engine that are used by the cells, or all.
  static func strategies(of engine: any Engine, usedBy cells: [Cell]?) -> [Strategy] {
    guard let cells else { return engine.strategies }
    return engine.strategies.filter { strategy in
      cells.contains {
        $0.engine == engine.name && $0.strategy == strategy.name && $0.operation == strategy.operation
      }
    }
  }

  private static func line(of strategy: Strategy, width: Int) -> String {
    var line = "  " + strategy.name + String(repeating: " ", count: width - strategy.name.count)
    line += "  " + strategy.summary
    let parameters = strategy.parameters.sorted { $0.name < $1.name }
    if !parameters.isEmpty {
      line += " (" + parameters.map { "\($0.name)=\($0.parameter.choice)" }.joined(separator: ", ") + ")"
    }
    return line
  }

  /// A line for each metric, in columns, below a line with their titles.
  static func text(of metrics: [MetricDeclaration]) -> String {
    let lines =
      [["metric", "unit", "pass", "repeats", "what it is"]]
      + metrics.map { [$0.column, $0.unit.rawValue, $0.pass.rawValue, $0.precision.rawValue, $0.help] }
    let widths = (0..<4).map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { words in
      zip(words, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) + "  " }.joined() + words[4] + "\n"
    }.joined()
  }

  static func text(of scenario: Scenario) -> String {
    let lines =
      [
        "\(scenario.name) (\(scenario.file)): \(what(of: scenario))\(scenario.source.summary), "
          + HumanUnits.counted(scenario.measure.rounds, "round")
      ]
      + (scenario.description.isEmpty ? [] : ["  " + scenario.description]) + swept(in: scenario)
      + scenario.cells.map { "  " + $0.id }
    return lines.map(\.onOneLine).joined(separator: "\n") + "\n"
  }

  /// A line about the sweep over source, store and scenario; empty if they are not swept.
  private static func swept(in scenario: Scenario) -> [String] {
    let axes = scenario.cells.sweptConditions.map { axis in
      axis.key + " " + axis.values.map(\.description).joined(separator: ", ")
    }
    return axes.isEmpty ? [] : ["  swept: " + axes.joined(separator: "; ")]
  }

  /// The operation on existing rows; empty for an insert.
  private static func what(of scenario: Scenario) -> String {
    let operation = scenario.operation
    if operation == .insert { return "" }
    if let version = operation.version {
      let isOne = scenario.cells.sweptConditions.allSatisfy { $0.key != "version" }
      return "migrate \(isOne ? "to the version \(version.name)" : "to each version"), "
    }
    let query = operation.query
    let rows =
      query == FetchQuery()
      ? "of every row" : query.condition == nil && query.among == nil ? "of every row, \(query)" : "where \(query)"
    return "\(operation.kind.rawValue) \(rows), "
  }
}
