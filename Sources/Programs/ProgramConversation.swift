// A conversation with a program: requests, and answers within a time limit.
internal import BatchmarkEngine
internal import Foundation
internal import Support

/// A started program that answers requests.
final class ProgramConversation {
  private let definition: ProgramDefinition
  private let process: PipedProcess
  private let limits: ProgramLimits

  /// The id of the program's process, and of its group.
  var processNumber: Int64 { process.number }

  /// Starts the program.
  ///
  /// - Throws: ``ProgramError``.
  init(
    _ definition: ProgramDefinition, variables: [String: String] = [:], limits: ProgramLimits = ProgramLimits()
  ) throws(ProgramError) {
    self.definition = definition
    self.limits = limits
    var environment = definition.environment.merging(variables) { $1 }
    // The meters come first: their functions must take precedence over those of a preloaded SQLite.
    if let meters = variables[PreloadList.variable] {
      environment.merge(PreloadList.variables(preloading: [meters], in: definition.environment)) { $1 }
    }
    var child = ChildProcess(
      definition.path, Array(definition.words.dropFirst()),
      environment: environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }, output: .dropped,
      errors: .dropped)
    child.isExpendable = true
    do throws(SystemError) { process = try PipedProcess(child) } catch {
      throw ProgramError(engine: definition.name, .notStarted(path: definition.path, error))
    }
  }

  /// Sends a request and decodes the answer.
  ///
  /// - Throws: ``ProgramError``, after ending the program.
  func ask<Answer: Decodable>(_ request: ProgramRequest, for type: Answer.Type) throws(ProgramError) -> Answer {
    try decode(try answer(to: request), as: type, request)
  }

  /// Sends a request and waits for a line.
  func answer(to request: ProgramRequest) throws(ProgramError) -> [UInt8] {
    let line = try encoded(request)
    do throws(PipedProcess.Failure) {
      try process.write(line, limit: limits.seconds(for: request))
      return try process.readLine(longest: ProgramProtocol.longestLine, limit: limits.seconds(for: request))
    } catch {
      throw failure(error, request)
    }
  }

  /// Decodes an answer.
  func decode<Answer: Decodable>(
    _ line: [UInt8], as type: Answer.Type, _ request: ProgramRequest
  ) throws(ProgramError) -> Answer {
    let names = request.names
    let text = ProgramConversation.shown(line)
    guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
      throw failed(.malformed(text, during: names.request, reason: "an object of JSON on one line"))
    }
    if let reason = object["error"] as? String { throw failed(.refused(reason, during: names.request)) }
    guard object[names.answer] != nil else {
      throw failed(.otherAnswer(text, during: names.request, expected: names.answer))
    }
    do {
      return try JSONDecoder().decode(type, from: Data(line))
    } catch {
      throw failed(.malformed(text, during: names.request, reason: ProgramConversation.expectation(error)))
    }
  }

  /// Checks that an answer without contents is the expected one.
  func confirm(_ request: ProgramRequest) throws(ProgramError) {
    _ = try ask(request, for: Confirmation.self)
  }

  private struct Confirmation: Decodable {}

  /// Checks that an answer is an error reported by the program.
  func confirmError(_ line: [UInt8], _ request: ProgramRequest) throws(ProgramError) {
    guard ProgramConversation.reason(in: line) != nil else {
      throw failed(.otherAnswer(ProgramConversation.shown(line), during: request.names.request, expected: "error"))
    }
  }

  /// Ends the program, after giving it a moment to exit by itself.
  @discardableResult
  func end(within seconds: Double = 0) -> ChildProcess.ExitStatus { process.end(within: seconds) }

  /// Closes the program's input, which ends its requests.
  func endRequests() { process.closeInput() }

  /// Ends the program, and returns an error with the first and the last line of its output.
  func failed(_ problem: ProgramError.Problem) -> ProgramError {
    process.end()
    let lines = process.lastPrinted.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    let telling = lines.count > 1 ? [lines[0], lines[lines.count - 1]] : lines
    let printed = telling.map { ProgramConversation.shown(Array($0.utf8)) }
    return ProgramError(engine: definition.name, problem, printed: printed)
  }

  private func failure(_ failure: PipedProcess.Failure, _ request: ProgramRequest) -> ProgramError {
    let name = request.names.request
    var error =
      switch failure {
      case .ended(.exited(let status)): failed(.exited(status: status, during: name))
      case .ended(.signalled(let signal)): failed(.signalled(signal, during: name))
      case .late: failed(.late(seconds: limits.seconds(for: request), during: name))
      case .tooLong: failed(.lineTooLong(during: name))
      case .flooding: failed(.flooding(during: name))
      case .closed: failed(.closed(during: name))
      }
    if failure == .tooLong { return error }
    // A program that ended before the request may have printed why.
    let lines = process.rest(limit: ProgramProtocol.longestLine)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if let reason = lines.dropLast().lazy.compactMap({ ProgramConversation.reason(in: Array($0)) }).first {
      error.problem = .refused(reason, during: name)
    } else if let last = lines.last, !last.isEmpty {
      error.unfinished = ProgramConversation.shown(Array(last))
    }
    return error
  }

  /// The reason in an error reported by a program; `nil` for any other answer.
  private static func reason(in line: [UInt8]) -> String? {
    (try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])?["error"] as? String
  }

  private func encoded(_ request: ProgramRequest) throws(ProgramError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(request) else {
      throw failed(.malformed("a request", during: request.names.request, reason: "values that JSON has"))
    }
    return Array(data) + [UInt8(ascii: "\n")]
  }

  /// The beginning of a line, as messages show it.
  private static func shown(_ line: [UInt8]) -> String {
    String(decoding: line.prefix(160), as: UTF8.self).debugDescription + (line.count > 160 ? "…" : "")
  }

  /// A description of what a decoder expected.
  private static func expectation(_ error: any Error) -> String {
    func path(_ context: DecodingError.Context, _ last: (any CodingKey)? = nil) -> String {
      (context.codingPath + [last].compactMap(\.self)).map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
        .joined(separator: ".")
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context): return "the key '\(path(context, key))'"
    case DecodingError.typeMismatch(let type, let context): return "a value of type \(type) for '\(path(context))'"
    case DecodingError.valueNotFound(let type, let context): return "a value of type \(type) for '\(path(context))'"
    case DecodingError.dataCorrupted(let context): return "a right value for '\(path(context))'"
    default: return "the keys that the protocol has"
    }
  }
}

/// The time limits for answers.
package struct ProgramLimits: Sendable, Hashable {
  /// The seconds until a program must have answered `hello`.
  package var hello = 10.0
  /// The seconds for every other answer.
  ///
  /// A worker's limit is shorter, and ends its program too.
  package var work = 3_600.0

  package init(hello: Double = 10, work: Double = 3_600) { (self.hello, self.work) = (hello, work) }

  func seconds(for request: ProgramRequest) -> Double {
    if case .hello = request { hello } else { work }
  }
}
