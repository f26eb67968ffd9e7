// How a command writes what it found: as text for people, or as one JSON document for programs.
internal import ArgumentParser
internal import Harness
internal import Reports

/// What `--format` takes.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text, json

  /// The help for `--format`.
  static let help = ArgumentHelp("How it is written: text, or json for programs.", valueName: "format")

  /// Writes text to standard output for people, without control characters; nothing for a program.
  ///
  /// - Throws: ``CommandError`` when it cannot be written, and what making the text throws.
  func output(_ text: @autoclosure () throws -> String) throws {
    if self == .text { try Console.output(text()) }
  }

  /// Writes the one document of a command to standard output for a program; nothing for people.
  ///
  /// - Parameters:
  ///   - document: What the command found.
  ///   - status: What it ends with.
  /// - Returns: The status.
  /// - Throws: ``CommandError`` when it cannot be written, ``ReportError`` when it cannot be encoded.
  @discardableResult
  func document(_ document: @autoclosure () throws -> some CommandDocument, _ status: CommandStatus) throws
    -> CommandStatus
  {
    if self == .json { try Console.output(encoded: document().json(status)) }
    return status
  }
}
