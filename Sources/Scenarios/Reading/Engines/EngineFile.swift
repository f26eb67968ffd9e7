// The file of engines, which says how programs that store rows are started. Scenarios name these engines and start
// nothing themselves.
internal import SystemPackage

/// How to start an engine that is a program.
package struct ProgramDeclaration: Codable, Sendable, Hashable {
  /// The name used in scenarios.
  package var name: String
  /// The program and its arguments, as in the file.
  package var command: [String]
  /// Additional environment variables.
  package var environment: [String: String]
  /// How to install it, such as `apt-get install python3`.
  package var install: String?

  package init(name: String, command: [String], environment: [String: String] = [:], install: String? = nil) {
    self.name = name
    self.command = command
    self.environment = environment
    self.install = install
  }
}

/// A file of engines.
package struct EngineFile: Sendable {
  /// In the order of the file.
  package let engines: [ProgramDeclaration]
  /// The folder that relative paths in commands refer to.
  package let folder: String

  /// Reads a file.
  ///
  /// - Throws: ``ScenarioFileError`` if the file is missing or cannot be read, ``ScenarioErrors`` with every mistake in
  ///   it.
  package init(file: String) throws {
    try self.init(text: try ScenarioFiles.text(of: file, "a file of engines"), file: file)
  }

  /// Reads the text of a file.
  ///
  /// - Throws: ``ScenarioErrors`` with every mistake.
  package init(text: String, file: String) throws(ScenarioErrors) {
    let diagnostics = Diagnostics(file: file)
    let folder = FilePath(file).removingLastComponent().string
    self.folder = folder.isEmpty ? "." : folder
    let section = EngineFileSection(diagnostics: diagnostics)
    if text.allSatisfy(\.isWhitespace) {
      section.diagnose(.wholeFile, found: "an empty file", expected: EngineFileSection.example)
    }
    var engines: [ProgramDeclaration] = []
    if diagnostics.count == 0, let root = YAMLDocument(text: text, diagnostics: diagnostics).root {
      engines = section.read(root)
    }
    guard diagnostics.count == 0 else { throw ScenarioErrors(errors: diagnostics.errors) }
    self.engines = engines
  }
}

/// Reads the sections of a file of engines.
struct EngineFileSection: NodeReading {
  let diagnostics: Diagnostics

  static let example = "engines: [{name: python-sqlite3, command: [python3, python/sqlite3_engine.py]}]"

  func read(_ root: YAMLNode) -> [ProgramDeclaration] {
    guard let section = section(root, keys: ["engines"]),
      let list = required("engines", in: section, example: EngineFileSection.example),
      let items = items(list, expected: "a list of engines, each with name and command")
    else { return [] }
    if items.isEmpty { diagnose(list.place, found: "no engine", expected: EngineFileSection.example) }
    var names: Set<String> = []
    return items.compactMap { item in
      guard let engine = engine(item) else { return nil }
      if !names.insert(engine.name).inserted {
        diagnose(item.place, found: "a second engine named \(shown(engine.name))", expected: "each name once")
      }
      return engine
    }
  }

  private func engine(_ node: YAMLNode) -> ProgramDeclaration? {
    guard let section = section(node, keys: ["name", "command", "environment", "install"]) else { return nil }
    let name = required("name", in: section, example: "name: python-sqlite3").flatMap(name)
    let command = required("command", in: section, example: "command: [python3, engine.py]").flatMap(command)
    let environment = section["environment"].map(environment) ?? [:]
    let install = section["install"].flatMap { text($0, expected: "what to do to have the engine here") }
    guard let name, let command else { return nil }
    return ProgramDeclaration(name: name, command: command, environment: environment, install: install)
  }

  private func name(_ node: YAMLNode) -> String? {
    let expected = "a name of ASCII letters, digits, '-', '_' and '.'"
    guard let name = text(node, expected: expected) else { return nil }
    if isName(name) { return name }
    diagnose(node.place, found: node.kind, expected: expected)
    return nil
  }

  private func command(_ node: YAMLNode) -> [String]? {
    let expected = "a program and its arguments as a list of words, such as [python3, engine.py]"
    guard let items = items(node, expected: expected) else { return nil }
    let words = items.compactMap { item in word(item, expected: expected) }
    if items.isEmpty { diagnose(node.place, found: "no word", expected: expected) }
    return words.count == items.count && !words.isEmpty ? words : nil
  }

  private func environment(_ node: YAMLNode) -> [String: String] {
    let expected = "variables with their values, such as {PYTHONHASHSEED: \"0\"}"
    var variables: [String: String] = [:]
    for entry in entries(node, expected: expected) ?? [] {
      if entry.key.isEmpty || entry.key.contains("=") || entry.key.utf8.contains(0) {
        diagnose(entry.keyPlace, found: "the variable \(shown(entry.key))", expected: "a name without '='")
      } else if let value = word(entry.value, expected: expected) {
        variables[entry.key] = value
      }
    }
    return variables
  }

  /// A word that the system accepts: one without null characters.
  private func word(_ node: YAMLNode, expected: String) -> String? {
    guard let text = node.text, !node.isNothing, !text.utf8.contains(0) else {
      diagnose(node.place, found: node.kind, expected: expected)
      return nil
    }
    return text
  }
}
