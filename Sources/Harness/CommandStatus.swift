// How the program ends: the exit statuses that scripts and CI rely on, and which one wins.

/// What a command's end means; the raw value is the process's exit status.
package enum CommandStatus: Int32, Sendable, CaseIterable {
  /// All held.
  case success = 0
  /// A regression, or a broken budget.
  case regression = 1
  /// A sample failed or stored the wrong rows.
  case failedSamples = 3
  /// What was measured before is missing or not comparable.
  case notComparable = 4
  case inconclusive = 5
  /// A placebo comparison failed, too many samples were set aside, or nothing could be compared.
  case untrusted = 6
  /// Wrong usage of the command line (EX_USAGE of sysexits.h, as the four below).
  case usage = 64
  /// An invalid file.
  case invalidFile = 65
  /// A missing or unreadable file.
  case unreadableFile = 66
  case internalError = 70
  /// Output that cannot be written, or an output folder that exists already.
  case unwritableOutput = 73
  /// Interrupted; everything measured so far is kept.
  case interrupted = 130
  /// Nothing reads the output any more.
  ///
  /// A shell uses this status for SIGPIPE.
  case closedPipe = 141

  /// What it means, in a few words.
  package var meaning: String {
    switch self {
    case .success: "all held"
    case .regression: "a regression or a broken budget"
    case .failedSamples: "a sample failed or stored the wrong rows"
    case .notComparable: "the results to compare are missing or not comparable"
    case .inconclusive: "inconclusive"
    case .untrusted: "nothing can be trusted"
    case .usage: "wrong usage"
    case .invalidFile: "an invalid file"
    case .unreadableFile: "a missing or unreadable one"
    case .internalError: "an internal error"
    case .unwritableOutput: "output that cannot be written or exists already"
    case .interrupted: "interrupted, everything measured so far kept"
    case .closedPipe: "output whose reader has ended"
    }
  }

  /// The one status to end with when several apply; ``success`` when none does.
  package static func first(of statuses: some Sequence<CommandStatus>) -> CommandStatus {
    let found = Set(statuses)
    return precedence.first(where: found.contains) ?? .success
  }

  /// What stops a command stands before what a finished one found.
  package static let precedence: [CommandStatus] = [
    .interrupted, .closedPipe, .internalError, .unwritableOutput, .unreadableFile, .invalidFile, .usage,
    .failedSamples, .untrusted, .notComparable, .regression, .inconclusive,
  ]
}
