// Loads scenarios with their rows from the paths of the command line. It finds all of their mistakes before anything is
// measured.
internal import BatchmarkEngine
internal import Analysis
internal import Foundation
internal import Harness
internal import Scenarios
internal import Support

/// Finds, reads and selects scenarios.
struct ScenarioLoading {
  /// The default suite.
  static let defaultSuite = "Scenarios/earthquakes.yml"

  let schema: ScenarioSchema

  init(engines: [any Engine]) { schema = ScenarioSchema(engines, absences: Batchmark.absences) }

  /// Reads everything that a run needs from its scenarios.
  ///
  /// - Throws: ``ScenarioErrors``, ``ScenarioFileError``, ``SourceError`` or ``CommandError``.
  func plan(_ request: RunRequest) throws -> [PlannedScenario] {
    let scenarios = try scenarios(request)
    try refuseSharedNames(scenarios.map(\.scenario))
    let selected = try select(CellSelection(only: request.selection, skip: request.skipped), from: scenarios)
    if scenarios.allSatisfy(\.scenario.absentEngines.isEmpty) {
      try ScenarioLoading.refuseIdle(request.overrides, among: selected.map(\.0))
    }
    return try selected.map {
      let planned = try planned($0, text: $1, overrides: request.overrides)
      return request.isQuick ? planned.quick : planned
    }
  }

  /// Refuses settings of parameters that none of the cells has, because they would change nothing.
  static func refuseIdle(_ settings: [ScenarioOverride], among scenarios: [Scenario]) throws(CommandError) {
    let cells = scenarios.flatMap(\.cells)
    // Both sides of a pair have the same cells.
    var seen: Set<String> = []
    let names = cells.map(\.id).filter { seen.insert($0).inserted }
    for setting in settings where Batchmark.schema.isOfCells(setting) && !cells.isEmpty {
      guard cells.allSatisfy({ $0.defaults[setting.key] == nil }) else { continue }
      throw CommandError(
        .usage,
        "\(setting.origin): found no cell with '\(setting.key)' among the selected ones, \(listed(names)); "
          + "expected a parameter of one of them, or other cells with --only and --skip")
    }
  }

  /// The first three cells, and the number of others.
  static func listed(_ cells: [String]) -> String {
    (cells.prefix(3) + (cells.count > 3 ? ["\(cells.count - 3) more"] : [])).joined(separator: ", ")
  }

  /// The scenarios of the named files; by default the standard suite, or the one for the rows of a store.
  private func scenarios(_ request: RunRequest) throws -> [(scenario: Scenario, text: String)] {
    if request.paths.isEmpty, request.overrides.contains(where: { $0.key == "store" }) {
      let suite = schema.storeSuite
      let scenario = try ScenarioReader(schema: schema)
        .read(text: suite, file: ScenarioSchema.storeSuiteName, overrides: request.overrides)
      return [(scenario, suite)]
    }
    let paths = try request.paths.isEmpty ? [ScenarioLoading.defaultPath()] : request.paths
    return try read(ScenarioFiles.find(in: paths), overrides: request.overrides)
  }

  /// A scenario from its text.
  ///
  /// - Throws: ``ScenarioErrors`` or ``SourceError``.
  func plan(text: String, file: String) throws -> PlannedScenario {
    try planned(try ScenarioReader(schema: schema).read(text: text, file: file), text: text, overrides: [])
  }

  private func planned(_ scenario: Scenario, text: String, overrides: [ScenarioOverride]) throws -> PlannedScenario {
    PlannedScenario(
      scenario: scenario, text: text, overrides: overrides, source: scenario.source.summary,
      rows: try RowCount(of: scenario).rows, sourceFingerprint: scenario.source.file.flatMap(Fingerprint.ofFile))
  }

  /// The default suite, in the current directory or in the package that the executable was built in.
  static func defaultPath(executable: String = Executable.path) throws(CommandError) -> String {
    try repositoryPath(of: defaultSuite, otherwise: "name a scenario file", executable: executable)
  }

  /// A file of the package, in the current directory or in the package that the executable was built in.
  ///
  /// - Parameters:
  ///   - file: Its path in the package.
  ///   - otherwise: Advice if it is in neither.
  ///   - executable: The executable's path.
  /// - Returns: Its path, relative to the current directory.
  /// - Throws: ``CommandError`` if it is in neither.
  static func repositoryPath(
    of file: String, otherwise: String, executable: String = Executable.path
  ) throws(CommandError) -> String {
    if FileManager.default.fileExists(atPath: file) { return file }
    var folder = URL(fileURLWithPath: executable).deletingLastPathComponent()
    while folder.path != "/" {
      let path = folder.appendingPathComponent(file).path
      if FileManager.default.fileExists(atPath: path) { return path }
      folder.deleteLastPathComponent()
    }
    throw CommandError(
      .unreadableFile,
      "found no \(file) here or in the package of this executable; \(otherwise), or run from the package's folder")
  }

  /// Reads every file, so that the mistakes of all files are reported at once.
  private func read(
    _ files: [String], overrides: [ScenarioOverride]
  ) throws -> [(scenario: Scenario, text: String)] {
    var scenarios: [(scenario: Scenario, text: String)] = []
    var errors: [ScenarioError] = []
    for file in files {
      let text = try ScenarioFiles.text(of: file)
      do throws(ScenarioErrors) {
        scenarios.append(
          (try ScenarioReader(schema: schema).read(text: text, file: file, overrides: overrides), text))
      } catch {
        errors += error.errors
      }
    }
    // Skip scenarios that have only missing engines, if there are others.
    let missing = errors.compactMap(\.absentEngine)
    guard missing.count == errors.count, errors.isEmpty || !scenarios.isEmpty else {
      throw ScenarioErrors(errors: errors)
    }
    let absent = scenarios.flatMap(\.scenario.absentEngines) + missing
    for sentence in AbsentEngine.sentences(of: absent) { Console.complain(sentence) }
    return scenarios
  }

  /// Refuses two scenarios with the same name in a run.
  ///
  /// Ids of cells and names of files begin with the name, and case may not matter in file names.
  private func refuseSharedNames(_ scenarios: [Scenario]) throws(CommandError) {
    var known: [String: Scenario] = [:]
    for scenario in scenarios {
      guard let other = known.updateValue(scenario, forKey: scenario.name.lowercased()) else { continue }
      throw CommandError(
        .invalidFile,
        other.name == scenario.name
          ? "\(other.file) and \(scenario.file) both name their scenario '\(scenario.name)'; rename one"
          : "\(other.file) and \(scenario.file) name their scenarios '\(other.name)' and '\(scenario.name)', which differ "
            + "in case alone; rename one")
    }
  }

  /// Keeps the selected cells, and the scenarios that still have cells.
  private func select(
    _ selection: CellSelection, from scenarios: [(scenario: Scenario, text: String)]
  ) throws(CommandError) -> [(Scenario, String)] {
    try selection.check(among: scenarios.map(\.scenario))
    return scenarios.compactMap { scenario, text in
      var scenario = scenario
      scenario.cells.removeAll { !selection.selects($0, tags: scenario.tags[$0]) }
      return scenario.cells.isEmpty ? nil : (scenario, text)
    }
  }
}

extension SourceDescription {
  /// The file of the rows; `nil` if they are generated.
  var file: String? {
    switch self {
    case .generate, .synthetic, .trees: nil
    case .feed(let path, _), .store(let path, _): path
    }
  }
}

extension [PlannedScenario] {
  /// Refuses cells with concurrent readers or writers.
  ///
  /// - Parameters:
  ///   - command: The command's name.
  ///   - reason: Why it needs a cell alone, as the middle of a sentence.
  /// - Throws: ``CommandError`` with the first such cell.
  func refuseConcurrentWork(in command: String, since reason: String) throws(CommandError) {
    for planned in self {
      guard let cell = planned.scenario.cells.first(where: { planned.scenario.variant(for: $0).beside.isThere }) else {
        continue
      }
      throw CommandError(
        .usage,
        "\(command) takes no cell with readers or writers beside it, since \(reason); found \(cell.id); expected "
          + "others, chosen by --only or --skip, or --set readers=0 --set writers=0")
    }
  }
}
