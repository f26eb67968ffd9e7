// Where output is written: results to standard output, everything else to standard error with the program's name before it.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports

/// The process's terminal, or a replacement for tests.
enum Console {
  /// The name the executable was called by.
  static let programName: String = {
    let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
    return (name ?? "batchmark").onOneLine
  }()

  /// A standard stream, and what it shows.
  enum Stream: Int32 {
    case output = 1
    case error = 2

    /// Whether a person watches it on a terminal that can overwrite a line.
    var isTerminal: Bool { isatty(rawValue) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Whether it may carry colors: on a terminal, unless NO_COLOR is set (https://no-color.org).
    var usesColor: Bool {
      Console.usesColor(onTerminal: isTerminal, environment: ProcessInfo.processInfo.environment)
    }

    /// How a page is written to it: for a person on a terminal, else as Markdown.
    var form: PageForm {
      guard let columns else { return .markdown }
      return .terminal(width: min(max(columns, 40), TerminalTable.lineWidth), isASCII: !Console.usesUnicode)
    }

    /// A file's path, on a terminal as a link that a click opens.
    ///
    /// The sequence is OSC 8 (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda); a terminal that does not
    /// know it shows the path alone.
    func link(to path: String) -> String {
      let shown = path.onOneLine
      guard usesColor else { return shown }
      return "\u{1B}]8;;\(URL(fileURLWithPath: path).absoluteString)\u{1B}\\\(shown)\u{1B}]8;;\u{1B}\\"
    }

    /// The columns of its terminal at this moment, 80 when the terminal does not say; nil where it is none.
    var columns: Int? {
      guard isatty(rawValue) == 1 else { return nil }
      var size = winsize()
      let isKnown = ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
      return isKnown ? Int(size.ws_col) : 80
    }
  }

  static func usesColor(onTerminal isTerminal: Bool, environment: [String: String]) -> Bool {
    isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// Whether characters beyond ASCII are shown.
  static let usesUnicode = usesUnicode(environment: ProcessInfo.processInfo.environment)

  /// The locale's encoding says it; without any locale nothing is known, and nearly everything shows UTF-8.
  static func usesUnicode(environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let locale = locale?.lowercased() else { return true }
    return locale.contains("utf-8") || locale.contains("utf8")
  }

  /// Opens the standard streams that the process was started without, so that no file of the run gets their numbers and is
  /// written to in their place.
  static func openStandardStreams() { _ = closedStreams }

  /// The standard streams that the process was started without, opened since.
  static let closedStreams: [Int32] = (STDIN_FILENO...STDERR_FILENO).filter { descriptor in
    guard fcntl(descriptor, F_GETFD) == -1 else { return false }
    // The lowest number that is free is this one.
    _ = open("/dev/null", O_RDWR)
    return true
  }

  /// Keeps whatever else this process was given from its children, whatever the numbers.
  static func keepDescriptors() {
    let listed = try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd").compactMap { Int32($0) }
    for descriptor in listed ?? Array(0..<256) where descriptor > STDERR_FILENO && fcntl(descriptor, F_GETFD) != -1 {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Says something on one line of standard error, with the program's name before it.
  static func complain(_ message: String) { complain(lines: [message]) }

  /// Says something on standard error, each line with the program's name before it.
  static func complain(lines: [String]) {
    write(
      encoded: lines.map(\.onOneLine.withoutExcess).map {
        $0.hasPrefix(programName + ": ") || $0.isEmpty ? "\($0)\n" : "\(programName): \($0)\n"
      }.joined())
  }

  /// Prints a message to standard error: on one line, or on a terminal on several lines, broken between words.
  ///
  /// Do not use it for text that users copy, such as a command.
  static func complain(folding message: String) {
    let line = "\(programName): \(message)".onOneLine
    let lines = Stream.error.columns.map { TerminalText.folded(line, to: max($0, 20), indent: 2) } ?? [line]
    write(encoded: lines.map { $0 + "\n" }.joined())
  }

  /// Writes text without foreign control characters to standard error as it is; a closed standard error is ignored.
  static func write(encoded text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Writes lines to standard output, without control characters.
  ///
  /// - Throws: ``CommandError`` when it cannot be written, as on a full device.
  static func output(_ lines: String) throws(CommandError) { try output(encoded: lines.withoutControls) }

  /// Writes text to standard output unchanged.
  ///
  /// It must not contain control characters except its own: a file of the report, or a table with styles.
  ///
  /// - Throws: ``CommandError`` if it cannot be written, as on a full device; without a message if nothing reads it any more.
  static func output(encoded text: String) throws(CommandError) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      if errno == EPIPE { throw CommandError(.closedPipe, lines: []) }
      throw CommandError(.unwritableOutput, "standard output cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  /// Writes to one of the two, as ``write(encoded:)`` or ``output(encoded:)``.
  ///
  /// - Throws: ``CommandError`` when standard output cannot be written.
  static func write(encoded text: String, to stream: Stream) throws(CommandError) {
    switch stream {
    case .output: try output(encoded: text)
    case .error: write(encoded: text)
    }
  }
}
