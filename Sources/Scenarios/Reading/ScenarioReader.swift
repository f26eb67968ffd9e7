// The entry point: reads a scenario file and returns a checked scenario, or all of its mistakes.
package import BatchmarkEngine

/// Reads scenario files and reports their mistakes.
///
/// It finds every mistake of a file at once, with its line and column. It reads only the file itself.
package struct ScenarioReader: Sendable {
  package var schema: ScenarioSchema

  /// Makes a reader that knows the engines, strategies and parameters of the schema.
  package init(schema: ScenarioSchema) {
    self.schema = schema
  }

  /// Reads a scenario from its text.
  ///
  /// Settings replace values in it; the last setting with a name wins.
  ///
  /// - Parameters:
  ///   - text: The file's contents, YAML or JSON.
  ///   - file: The file's path, for messages and for the relative paths in the file.
  ///   - overrides: Settings of the command line, by name. Their paths are relative to the process's directory.
  /// - Returns: A scenario without mistakes.
  /// - Throws: ``ScenarioErrors`` with every mistake.
  package func read(
    text: String, file: String, overrides: [ScenarioOverride] = []
  ) throws(ScenarioErrors) -> Scenario {
    let diagnostics = Diagnostics(file: file)
    guard var root = YAMLDocument(text: text, diagnostics: diagnostics).root, diagnostics.count == 0 else {
      throw ScenarioErrors(errors: diagnostics.errors)
    }
    let absent = schema.takeAbsentEngines(outOf: &root)
    var settings = CommandLineSettings(diagnostics: diagnostics, schema: schema, leavesOutCells: !absent.isEmpty)
    settings.apply(overrides, to: &root)
    let sections = ScenarioSections(diagnostics: diagnostics, schema: schema, changes: settings.effects)
    if !absent.isEmpty, let cells = root["cells"], case .list(let items) = cells.content, items.isEmpty {
      for engine in absent {
        sections.diagnose(
          cells.place, found: "no cell but those of the engine \(engine.name), which is not here",
          expected: "an engine that is here: \(engine.reason)", suggestion: engine.suggestion,
          namedFile: .engine(engine))
      }
      throw ScenarioErrors(errors: diagnostics.errors)
    }
    guard var scenario = sections.read(root) else { throw ScenarioErrors(errors: diagnostics.errors) }
    scenario.absentEngines = absent
    return scenario
  }

  /// Reads a scenario file.
  ///
  /// - Throws: ``ScenarioFileError`` if the file is missing or cannot be read, ``ScenarioErrors`` if it has mistakes.
  package func read(file: String, overrides: [ScenarioOverride] = []) throws -> Scenario {
    try read(text: ScenarioFiles.text(of: file), file: file, overrides: overrides)
  }
}
