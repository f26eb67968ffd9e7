// `schema`: the JSON Schemas of the files that people write and programs read.
internal import ArgumentParser
internal import Foundation
internal import Programs
internal import Reports
internal import BatchmarkEngine
internal import Scenarios
internal import Support
internal import Harness

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the form of a file as a JSON Schema, for editors and other programs.",
    discussion: """
      'scenario' describes the files that people write. 'results' describes results.json, 'pair' pair.json, \
      'explanation' explanation.json, 'watch' watch.json, 'comparison' the output of 'compare --format json', \
      'history' the files of a history, and 'program' the lines that an engine that is a program reads and writes. \
      The others describe the output of commands with --format json, by the name of the command: 'run' (also of \
      'merge' and 'report'), 'verdicts' of 'pair', 'forecast' of 'run --dry-run', 'machines' of 'merge', \
      'scenario-file' of 'init'.

      An editor with a YAML language server completes and checks a scenario whose first line is '# \
      yaml-language-server: $schema=scenario.schema.json'. Only 'validate' checks one part of a file against \
      another.
      """,
    examples: [
      CommandExample("schema scenario > scenario.schema.json", "For an editor that completes and checks scenarios.")
    ])

  @Argument(help: "The file that is described.")
  var file: File

  @OptionGroup var engines: EngineOptions

  enum File: String, ExpressibleByArgument, CaseIterable {
    case scenario, results, pair, explanation, comparison, history, watch, program
    // The output of commands with `--format json`.
    case run, machines, verdicts, forecast, plan, profile, check, validate, list, doctor, selftest
    case baselineList = "baseline-list"
    case baselineRemove = "baseline-remove"
    case enginesList = "engines-list"
    case enginesCheck = "engines-check"
    case historyAdd = "history-add"
    case historyList = "history-list"
    case historyShow = "history-show"
    case historyCheck = "history-check"
    case historyAccept = "history-accept"
    case historyBackfill = "history-backfill"
    case historyBisect = "history-bisect"
    case historyPrune = "history-prune"
    case scenarioFile = "scenario-file"

    /// The document of a command; `nil` for a file.
    var document: (any CommandDocument.Type)? {
      switch self {
      case .scenario, .results, .pair, .explanation, .comparison, .history, .watch, .program: nil
      case .run: RunDocument.self
      case .machines: MachinesDocument.self
      case .verdicts: PairDocument.self
      case .forecast: ForecastDocument.self
      case .plan: PlanDocument.self
      case .profile: ProfileDocument.self
      case .check: BudgetDocument.self
      case .validate: ValidationDocument.self
      case .list: ListDocument.self
      case .doctor: DoctorDocument.self
      case .selftest: SelfTestDocument.self
      case .baselineList: BaselineDocument.self
      case .baselineRemove: RemovedBaselinesDocument.self
      case .enginesList: EnginesDocument.self
      case .enginesCheck: ConformanceDocument.self
      case .historyAdd: HistoryAddDocument.self
      case .historyList: HistoryRunsDocument.self
      case .historyShow: HistorySeriesDocument.self
      case .historyCheck: HistoryCheckDocument.self
      case .historyAccept: HistoryAcceptDocument.self
      case .historyBackfill: HistoryBackfillDocument.self
      case .historyBisect: HistoryBisectDocument.self
      case .historyPrune: HistoryPruneDocument.self
      case .scenarioFile: ScenarioFileDocument.self
      }
    }
  }

  func run() throws { try engines.add(namedIn: nil, printSchema) }

  private func printSchema() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(schema), as: UTF8.self)
    try Console.output(encoded: JSONText.escaped(text) + "\n")
  }

  private var schema: JSONSchema {
    if let document = file.document { return document.schema.withDefinitions() }
    return switch file {
    case .results: StoredSchemas.results.withDefinitions()
    case .pair: StoredSchemas.pair.withDefinitions()
    case .explanation: StoredSchemas.explanation.withDefinitions()
    case .comparison: StoredSchemas.comparison.withDefinitions()
    case .history: StoredSchemas.history.withDefinitions()
    case .watch: StoredSchemas.watch.withDefinitions()
    case .program: ProgramProtocol.schema
    default: Batchmark.schema.jsonSchema
    }
  }
}
