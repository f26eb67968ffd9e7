// How the program ends: the exit statuses that scripts and CI rely on, and which one wins.

/// What a command's end means; the raw value is the process's exit status.
package enum CommandStatus: Int32, Sendable, CaseIterable {
  /// Everything succeeded.
  case success = 0
  /// A regression, or a broken budget.
  case regression = 1
  /// A sample failed or stored the wrong rows.
  case failedSamples = 3
  /// The earlier results to compare with are missing or not comparable.
  case notComparable = 4
  case inconclusive = 5
  /// A placebo comparison failed, too many samples were discarded, or nothing could be compared.
  case untrusted = 6
  /// Wrong usage of the command line. This status and the four below come from `sysexits.h` (EX_USAGE).
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
  /// The reader of the output has closed it.
  ///
  /// A shell uses this status for SIGPIPE.
  case closedPipe = 141

  /// The meaning in a few words.
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

  /// The status to exit with when several apply; ``success`` if none does.
  package static func first(of statuses: some Sequence<CommandStatus>) -> CommandStatus {
    let found = Set(statuses)
    return precedence.first(where: found.contains) ?? .success
  }

  /// The order of precedence: what stops a command comes before the results of a finished one.
  package static let precedence: [CommandStatus] = [
    .interrupted, .closedPipe, .internalError, .unwritableOutput, .unreadableFile, .invalidFile, .usage,
    .failedSamples, .untrusted, .notComparable, .regression, .inconclusive,
  ]
}
