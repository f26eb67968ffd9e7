// The way in: from a scenario file to a checked scenario, or to everything that is wrong with it.
package import BatchmarkEngine

/// Reads scenario files.
///
/// One reading finds every mistake of a file, with its line and column. It reads nothing but the file itself.
package struct ScenarioReader: Sendable {
  package var schema: ScenarioSchema

  /// Makes a reader that knows the engines, strategies and parameters of the schema.
  package init(schema: ScenarioSchema) {
    self.schema = schema
  }

  /// Reads a scenario from its text; settings take the place of values in it, the last of one name.
  ///
  /// - Parameters:
  ///   - text: The file's contents, YAML or JSON.
  ///   - file: The file's path, for messages and for the paths inside it, which are relative to the file.
  ///   - overrides: Settings of the command line, by name. Their paths are relative to the process's directory.
  /// - Returns: A scenario without a mistake.
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
  /// - Throws: ``ScenarioFileError`` for a file that is missing or cannot be read, ``ScenarioErrors`` for one that is
  ///   there and wrong.
  package func read(file: String, overrides: [ScenarioOverride] = []) throws -> Scenario {
    try read(text: ScenarioFiles.text(of: file), file: file, overrides: overrides)
  }
}
