// Errors of programs: what was found, what was expected and what to do, in one sentence each.
package import Support

/// Why an engine that is a program does not work.
package struct ProgramError: Error, Sendable, CustomStringConvertible {
  /// The engine's name.
  package var engine: String
  package var problem: Problem
  /// The first and the last line that the program printed, which may contain the reason; empty if it printed nothing.
  ///
  /// Some runtimes begin with the reason, others end with it.
  package var printed: [String]
  /// The beginning of an incomplete answer; `nil` if there is none.
  package var unfinished: String?
  /// How to install the program's requirements, if they may be missing; `nil` if the file of engines does not say.
  package var install: String?

  package enum Problem: Sendable, Hashable {
    case missing(command: String)
    case notExecutable(path: String)
    case notStarted(path: String, SystemError)
    case exited(status: Int32, during: String)
    case signalled(Int32, during: String)
    case late(seconds: Double, during: String)
    case closed(during: String)
    case flooding(during: String)
    case lineTooLong(during: String)
    case malformed(String, during: String, reason: String)
    case otherAnswer(String, during: String, expected: String)
    case refused(String, during: String)
    case otherProtocol(found: Int)
    case otherHello
    case noStrategy
    case strategy(String, found: String, expected: String)
    case rows(found: Int, expected: Int, which: String)
    case hash(found: Int64, expected: UInt32)
    case clock(own: Double, ours: Double)
    case severalEntities(Int)
    case rowNumber(attribute: String)
  }

  package init(engine: String, _ problem: Problem, printed: [String] = []) {
    self.engine = engine
    self.problem = problem
    self.printed = printed
  }

  /// Whether the program or its requirements may have to be installed.
  var isOfInstallation: Bool {
    switch problem {
    case .missing, .notStarted: true
    case .exited: unfinished == nil
    default: false
    }
  }

  /// Whether the program is missing.
  package var isUnreadable: Bool {
    switch problem {
    case .missing, .notExecutable, .notStarted: true
    default: false
    }
  }

  package var description: String { "the engine \(engine): \(reason)" }

  /// What was found, what was expected and what to do, without the engine's name.
  package var reason: String {
    sentence
      + (unfinished.map { "; its answer \($0) has no end: write a line feed after each, and flush it" } ?? "")
      + (printed.isEmpty ? "" : "; it printed \(printed.joined(separator: " … "))")
      + (install.map { "; install it: \($0)" } ?? "")
  }

  private var sentence: String {
    switch problem {
    case .missing(let command):
      "found no command '\(command)'; expected a program"
        + (install == nil ? "; install it, or correct its command in the file of engines" : "")
    case .notExecutable(let path):
      "found \(path), which cannot be run; expected a program; set its permission with chmod +x"
    case .notStarted(let path, let error):
      "\(path) could not be started: \(error); expected a program, or a script whose first line names its interpreter"
    case .exited(let status, let request):
      "the program ended with status \(status) during '\(request)'; expected an answer\(ProgramError.hint(request))"
    case .signalled(let signal, let request):
      "the program was ended by signal \(signal) during '\(request)'; expected an answer"
    case .late(let seconds, let request):
      "no answer to '\(request)' within \(ProgramError.number(seconds)) s; expected one line of JSON"
        + "\(ProgramError.hint(request)); the program was stopped"
    case .closed(let request):
      "the program closed its descriptors during '\(request)'; expected an answer on descriptor 4"
    case .flooding(let request):
      "the program printed without end during '\(request)'; expected at most 64 MiB; print less"
    case .lineTooLong(let request):
      "found a line of more than 1 MiB as the answer to '\(request)'; expected a shorter one; end each with a line feed"
    case .malformed(let text, let request, let reason):
      "found \(text) as the answer to '\(request)'; expected \(reason)"
    case .otherAnswer(let text, let request, let expected):
      "found \(text) as the answer to '\(request)'; expected '\(expected)'"
    case .refused(let reason, let request):
      "the program answered '\(request)' with an error"
        + (reason.allSatisfy(\.isWhitespace)
          ? " of which it says nothing; expected the reason"
          : ": \(reason.split(whereSeparator: \.isNewline).joined(separator: " "))")
    case .otherProtocol(let found):
      "found the protocol \(found); expected \(ProgramProtocol.version); use a helper of this version of Batchmark"
    case .otherHello:
      "the program describes itself otherwise than when the run started; expected the same; start a new run"
    case .noStrategy: "found no strategy; expected one in 'strategies' of its hello"
    case .strategy(let name, let found, let expected): "the strategy '\(name)' has \(found); expected \(expected)"
    case .rows(let found, let expected, let which):
      "found \(found) rows in its answer to 'go'; expected \(expected), \(which)"
    case .hash(let found, let expected):
      "found the hash \(found) of the values that it read; expected \(expected), CRC-32 of the key, the version and the "
        + "columns of each row, in the order of the rows"
    case .clock(let own, let ours):
      "its own clock says \(ProgramError.number(own)) s; expected \(own < 0 ? "0 to" : "at most") "
        + "\(ProgramError.number(ours)) s, the time between 'go' and 'done'; measure the work between them alone"
    case .severalEntities(let count):
      "found a scenario with rows of \(count) entities; expected one: programs work on rows of one entity"
    case .rowNumber(let attribute):
      "found the attribute '\(attribute)'; expected another name: programs read their rows in the order of SQLite's rowid, "
        + "whose place a column of that name takes"
    }
  }

  /// A hint for a program's author, for the first request.
  private static func hint(_ request: String) -> String {
    request == "hello" ? " on descriptor 4, flushed; requests come on descriptor 3" : ""
  }

  private static func number(_ seconds: Double) -> String {
    if let whole = Int64(exactly: seconds) { return "\(whole)" }
    // A larger number has no fraction.
    return seconds.magnitude < 0x1p53 ? "\((seconds * 1e6).rounded() / 1e6)" : "\(seconds)"
  }
}
