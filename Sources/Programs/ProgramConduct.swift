// The part of conformance that needs no rows: how a program answers and exits.
internal import Support

/// A rule of the protocol that does not depend on stored rows.
package enum ProgramConduct: String, Sendable, CaseIterable {
  case hello = "it says the same of itself each time"
  case unknownRequest = "it answers a request that it does not know with an error, and goes on"
  case noStore = "it answers with an error where the store cannot be opened"
  case close = "it ends with status 0 when it is closed"
  case endOfRequests = "it ends by itself when nobody asks any more"

  /// The seconds that a program has to exit by itself.
  private static let patience = 5.0
  /// The signal for a program that does not exit by itself.
  private static let kill: Int32 = 9

  /// Checks the rule.
  ///
  /// - Returns: What is wrong, as a sentence; `nil` if nothing is.
  package func problem(of definition: ProgramDefinition, limits: ProgramLimits = ProgramLimits()) -> String? {
    do throws(ProgramError) {
      let conversation = try ProgramConversation(definition, limits: limits)
      defer { conversation.end() }
      return try problem(in: conversation, definition)
    } catch {
      return error.reason
    }
  }

  private func problem(
    in conversation: ProgramConversation, _ definition: ProgramDefinition
  ) throws(ProgramError) -> String? {
    let hello = try conversation.ask(.hello, for: ProgramHello.self)
    switch self {
    case .hello: return hello == definition.hello ? nil : conversation.failed(.otherHello).reason
    case .unknownRequest:
      try expectError(of: .unknown, in: conversation)
      return try conversation.ask(.hello, for: ProgramHello.self) == hello
        ? nil : "it answered 'hello' otherwise after a request that it does not know; expected the same answer"
    case .noStore:
      let opening = ProgramOpening.ofNoStore(hello.strategies.first)
      try expectError(of: .open(opening), in: conversation)
      return nil
    case .close:
      try conversation.confirm(.close)
      return ended(conversation.end(within: ProgramConduct.patience), after: "it had answered 'close'")
    case .endOfRequests:
      conversation.endRequests()
      return ended(conversation.end(within: ProgramConduct.patience), after: "its descriptor 3 was closed")
    }
  }

  private func expectError(of request: ProgramRequest, in conversation: ProgramConversation) throws(ProgramError) {
    try conversation.confirmError(try conversation.answer(to: request), request)
  }

  private func ended(_ status: ChildProcess.ExitStatus, after event: String) -> String? {
    switch status {
    case .exited(0): return nil
    case .exited(let status): return self == .close ? "it ended with status \(status) when \(event); expected 0" : nil
    case .signalled(ProgramConduct.kill):
      return "it was still there \(Int(ProgramConduct.patience)) s after \(event); expected it to end"
    case .signalled(let signal): return "it was ended by signal \(signal) when \(event); expected it to end by itself"
    }
  }
}
