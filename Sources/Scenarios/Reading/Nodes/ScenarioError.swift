// What is wrong with a scenario: where, what was found, what was expected, and the nearest valid word.
package import BatchmarkEngine

/// One mistake in a scenario file or in a setting of the command line.
package struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file as the user named it.
  package var file: String
  /// The line, counted from 1; nil when the mistake is in a setting, or in the file as a whole.
  package var line: Int?
  /// The column in Unicode scalars, counted from 1; nil when ``line`` is.
  package var column: Int?
  /// The setting the mistake is in, as the user wrote it (`--set rows=0`); nil when it is in the file.
  package var origin: String?
  /// What was found, as a phrase: `the key 'atributes'`.
  package var found: String
  /// What was expected, as a phrase: `one of attributes, unique`.
  package var expected: String
  /// The valid word nearest to the one found, when one is near.
  package var suggestion: String?
  /// What is wrong with a file that the scenario or a setting names, which is right in itself; nil for a mistake in either.
  package var namedFile: NamedFile?

  /// What can be wrong with a file that is named.
  package enum NamedFile: Sendable, Hashable {
    /// It is missing or cannot be read (exit status 66).
    case unreadable
    /// It is something else than what was meant (65).
    case invalid
    /// It is the program of an engine, and cannot be started or is not named on the command line (66).
    case engine(AbsentEngine)
  }

  /// The engine that is not here, where that is all that is wrong.
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

  /// Mistakes in the file come first, by position; those in settings follow.
  fileprivate static func precedes(_ one: ScenarioError, _ other: ScenarioError) -> Bool {
    let group = (one.origin == nil ? 0 : 1, other.origin == nil ? 0 : 1)
    return (group.0, one.line ?? 0, one.column ?? 0) < (group.1, other.line ?? 0, other.column ?? 0)
  }
}

/// Every mistake of one scenario, the file's first, by position.
///
/// The file is there but invalid: exit status 65.
package struct ScenarioErrors: Error, Hashable, Sendable, CustomStringConvertible {
  package let errors: [ScenarioError]

  package init(errors: [ScenarioError]) {
    // Sorted with the index as the last word, since the standard library does not promise a stable sort.
    self.errors = errors.enumerated().sorted { one, other in
      if ScenarioError.precedes(one.element, other.element) { return true }
      if ScenarioError.precedes(other.element, one.element) { return false }
      return one.offset < other.offset
    }.map(\.element)
  }

  /// More mistakes than these are counted, not described.
  private static let mostDescribed = 20

  /// A line a mistake, for the first 20; a last line counts the others.
  package var lines: [String] {
    let lines = errors.prefix(ScenarioErrors.mostDescribed).map(\.description)
    let others = errors.count - lines.count
    return lines + (others > 0 ? ["and \(others) more \(others == 1 ? "mistake" : "mistakes")"] : [])
  }

  /// The ``lines``.
  package var description: String { lines.joined(separator: "\n") }
}

/// A scenario file or folder that is missing or cannot be read: exit status 66.
package struct ScenarioFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path as the user named it.
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
