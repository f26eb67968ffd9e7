// Where words go: results to standard output, everything else to standard error with the program's name before it.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports

/// The process's terminal or whatever stands in for it.
enum Console {
  /// The name the executable was called by.
  static let programName: String = {
    let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
    return name ?? "batchmark"
  }()

  static let standardErrorIsTerminal =
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  static let standardOutputIsTerminal = isatty(STDOUT_FILENO) == 1

  /// Whether standard output may carry colours: on a terminal, unless NO_COLOR is set (https://no-color.org).
  static var usesColour: Bool {
    usesColour(onTerminal: standardOutputIsTerminal, environment: ProcessInfo.processInfo.environment)
  }

  /// The same for standard error.
  static var usesColourOnStandardError: Bool {
    usesColour(onTerminal: isatty(STDERR_FILENO) == 1, environment: ProcessInfo.processInfo.environment)
  }

  static func usesColour(onTerminal isTerminal: Bool, environment: [String: String]) -> Bool {
    isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// Opens the standard streams that the process was started without, lest a file of the run gets the number of one and
  /// is written to in its place.
  static func openStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest number that is free is this one.
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// Keeps whatever else this process was given from its children, whatever the numbers.
  static func keepDescriptors() {
    let listed = try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd").compactMap { Int32($0) }
    for descriptor in listed ?? Array(0..<256) where descriptor > STDERR_FILENO && fcntl(descriptor, F_GETFD) != -1 {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  /// The columns of the terminal on standard error; 80 when nobody knows.
  static var columns: Int {
    var size = winsize()
    let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }

  /// Says something on one line of standard error, with the program's name before it.
  static func complain(_ message: String) { complain(lines: [message]) }

  /// Says something on standard error, each line with the program's name before it.
  static func complain(lines: [String]) {
    write(
      encoded: lines.map(\.onOneLine).map {
        $0.hasPrefix(programName + ": ") || $0.isEmpty ? "\($0)\n" : "\(programName): \($0)\n"
      }.joined())
  }

  /// Writes to standard error, as it is, what has no control characters but its own; a standard error that is gone is
  /// nobody's concern.
  static func write(encoded text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Writes lines to standard output, without control characters.
  ///
  /// - Throws: ``CommandError`` when it cannot be written, as on a full device.
  static func output(_ lines: String) throws(CommandError) { try output(encoded: lines.withoutControls) }

  /// Writes to standard output, as it is, what has no control characters but its own: a file of the report, or a table
  /// with styles.
  ///
  /// - Throws: ``CommandError`` when it cannot be written, as on a full device.
  static func output(encoded text: String) throws(CommandError) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      throw CommandError(.unwritableOutput, "standard output cannot be written: \(String(cString: strerror(errno)))")
    }
  }
}
