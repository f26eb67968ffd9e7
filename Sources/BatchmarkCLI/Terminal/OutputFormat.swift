// How a command writes its results: as text for people, or as one JSON document for programs.
internal import ArgumentParser
internal import Harness
internal import Reports

/// The values of `--format`.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text, json

  /// The help for `--format`.
  static let help = ArgumentHelp("How it is written: text, or json for programs.", valueName: "format")

  /// Writes text for people to standard output, without control characters; writes nothing for a program.
  ///
  /// - Throws: ``CommandError`` if it cannot be written, and the errors of making the text.
  func output(_ text: @autoclosure () throws -> String) throws {
    if self == .text { try Console.output(text()) }
  }

  /// Writes a command's document for a program to standard output; writes nothing for people.
  ///
  /// - Parameters:
  ///   - document: The results of the command.
  ///   - status: The exit status of the command.
  /// - Returns: The status.
  /// - Throws: ``CommandError`` if it cannot be written, ``ReportError`` if it cannot be encoded.
  @discardableResult
  func document(_ document: @autoclosure () throws -> some CommandDocument, _ status: CommandStatus) throws
    -> CommandStatus
  {
    if self == .json { try Console.output(encoded: document().json(status)) }
    return status
  }
}
