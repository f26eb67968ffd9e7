// A mistake in a scenario: its position, what was found, what was expected, and the nearest valid word.
package import BatchmarkEngine

/// One mistake in a scenario file or in a setting of the command line.
package struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the file, as the user gave it.
  package var file: String
  /// The line, counted from 1; `nil` if the mistake is in a setting, or in the file as a whole.
  package var line: Int?
  /// The column in Unicode scalars, counted from 1; `nil` if ``line`` is.
  package var column: Int?
  /// The setting with the mistake, as the user wrote it (`--set rows=0`); `nil` if it is in the file.
  package var origin: String?
  /// What was found, as a phrase: `the key 'atributes'`.
  package var found: String
  /// What was expected, as a phrase: `one of attributes, unique`.
  package var expected: String
  /// The nearest valid word, if one is near.
  package var suggestion: String?
  /// What is wrong with a file that the scenario or a setting names; `nil` for a mistake in the scenario or the setting
  /// itself.
  package var namedFile: NamedFile?

  /// What can be wrong with a named file.
  package enum NamedFile: Sendable, Hashable {
    /// It is missing or cannot be read (exit status 66).
    case unreadable
    /// It is not the expected kind of file (65).
    case invalid
    /// It is the program of an engine that cannot be started or is not named on the command line (66).
    case engine(AbsentEngine)
  }

  /// The missing engine, if that is the only problem.
  package var absentEngine: AbsentEngine? { if case .engine(let engine) = namedFile { engine } else { nil } }

  package init(
    file: String, line: Int? = nil, column: Int? = nil, origin: String? = nil, found: String, expected: String,
    suggestion: String? = nil
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.origin = origin
    self.found = found
    self.expected = expected
    self.suggestion = suggestion
  }

  init(file: String, place: SourceLocation, found: String, expected: String, suggestion: String?) {
    self.init(file: file, found: found, expected: expected, suggestion: suggestion)
    switch place {
    case .file(let line, let column): (self.line, self.column) = (line, column)
    case .setting(let origin): self.origin = origin
    case .wholeFile: break
    }
  }

  /// One line, such as `Scenarios/x.yml:12:5: found …; expected …; did you mean '…'?`.
  package var description: String {
    var text = origin.map { "\($0), for \(file)" } ?? file
    if let line, let column { text += ":\(line):\(column)" }
    text += ": found \(phrase(found)); expected \(phrase(expected))"
    if let suggestion { text += "; did you mean '\(phrase(suggestion))'?" }
    return text
  }

  /// Mistakes in the file come first, by position; then those in settings.
  fileprivate static func precedes(_ one: ScenarioError, _ other: ScenarioError) -> Bool {
    let group = (one.origin == nil ? 0 : 1, other.origin == nil ? 0 : 1)
    return (group.0, one.line ?? 0, one.column ?? 0) < (group.1, other.line ?? 0, other.column ?? 0)
  }
}

/// All mistakes of one scenario, those of the file first, by position.
///
/// The file exists but is invalid: exit status 65.
package struct ScenarioErrors: Error, Hashable, Sendable, CustomStringConvertible {
  package let errors: [ScenarioError]

  package init(errors: [ScenarioError]) {
    // Use the index as the last criterion, because the standard library does not guarantee a stable sort.
    self.errors = errors.enumerated().sorted { one, other in
      if ScenarioError.precedes(one.element, other.element) { return true }
      if ScenarioError.precedes(other.element, one.element) { return false }
      return one.offset < other.offset
    }.map(\.element)
  }

  /// Further mistakes are only counted.
  private static let mostDescribed = 20

  /// One line per mistake for the first 20; a last line counts the others.
  package var lines: [String] {
    let lines = errors.prefix(ScenarioErrors.mostDescribed).map(\.description)
    let others = errors.count - lines.count
    return lines + (others > 0 ? ["and \(others) more \(others == 1 ? "mistake" : "mistakes")"] : [])
  }

  /// The ``lines``, joined.
  package var description: String { lines.joined(separator: "\n") }
}

/// A scenario file or folder that is missing or cannot be read: exit status 66.
package struct ScenarioFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path, as the user gave it.
  package var path: String
  /// What was found there: `no such file or directory`.
  package var found: String
  package var expected: String

  package init(path: String, found: String, expected: String) {
    self.path = path
    self.found = found
    self.expected = expected
  }

  package var description: String { "\(path): found \(found); expected \(expected)" }
}
