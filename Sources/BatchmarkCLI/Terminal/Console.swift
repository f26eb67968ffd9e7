// Writes results to standard output, and everything else to standard error with the program's name in front.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports

/// The process's terminal, or a replacement in tests.
enum Console {
  /// The name by which the executable was called.
  static let programName: String = {
    let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
    return (name ?? "batchmark").onOneLine
  }()

  /// A standard stream and its capabilities.
  enum Stream: Int32 {
    case output = 1
    case error = 2

    /// Whether it is a terminal that can overwrite a line.
    var isTerminal: Bool { isatty(rawValue) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Whether it may have colors: a terminal, unless NO_COLOR is set (https://no-color.org).
    var usesColor: Bool {
      Console.usesColor(onTerminal: isTerminal, environment: ProcessInfo.processInfo.environment)
    }

    /// The form of a page: for a person on a terminal, otherwise Markdown.
    var form: PageForm {
      guard let columns else { return .markdown }
      return .terminal(width: min(max(columns, 40), TerminalTable.lineWidth), isASCII: !Console.usesUnicode)
    }

    /// A file's path, on a terminal as a clickable link.
    ///
    /// The sequence is OSC 8 (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda); a terminal without
    /// support shows only the path.
    func link(to path: String) -> String {
      let shown = path.onOneLine
      guard usesColor else { return shown }
      return "\u{1B}]8;;\(URL(fileURLWithPath: path).absoluteString)\u{1B}\\\(shown)\u{1B}]8;;\u{1B}\\"
    }

    /// The current width of the terminal in columns, 80 if it does not say; `nil` if it is not a terminal.
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

  /// Whether characters other than ASCII can be shown.
  static let usesUnicode = usesUnicode(environment: ProcessInfo.processInfo.environment)

  /// Determined by the locale's encoding.
  ///
  /// Without a locale nothing is known, and nearly everything supports UTF-8.
  static func usesUnicode(environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let locale = locale?.lowercased() else { return true }
    return locale.contains("utf-8") || locale.contains("utf8")
  }

  /// Opens the standard streams that were closed when the process started, so that no file of the run gets their
  /// descriptors.
  static func openStandardStreams() { _ = closedStreams }

  /// The standard streams that were closed when the process started, and have been opened since.
  static let closedStreams: [Int32] = (STDIN_FILENO...STDERR_FILENO).filter { descriptor in
    guard fcntl(descriptor, F_GETFD) == -1 else { return false }
    // The lowest free descriptor is this one.
    _ = open("/dev/null", O_RDWR)
    return true
  }

  /// Keeps other inherited descriptors from this process's children.
  static func keepDescriptors() {
    let listed = try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd").compactMap { Int32($0) }
    for descriptor in listed ?? Array(0..<256) where descriptor > STDERR_FILENO && fcntl(descriptor, F_GETFD) != -1 {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Prints a message as one line on standard error, with the program's name in front.
  static func complain(_ message: String) { complain(lines: [message]) }

  /// Prints a message on standard error, each line with the program's name in front.
  static func complain(lines: [String]) {
    write(
      encoded: lines.map(\.onOneLine.withoutExcess).map {
        $0.hasPrefix(programName + ": ") || $0.isEmpty ? "\($0)\n" : "\(programName): \($0)\n"
      }.joined())
  }

  /// Prints a message to standard error: as one line, or on a terminal as several lines that break between words.
  ///
  /// Do not use it for text that users copy, such as a command.
  static func complain(folding message: String) {
    let line = "\(programName): \(message)".onOneLine
    let lines = Stream.error.columns.map { TerminalText.folded(line, to: max($0, 20), indent: 2) } ?? [line]
    write(encoded: lines.map { $0 + "\n" }.joined())
  }

  /// Writes text to standard error unchanged.
  ///
  /// It must not contain foreign control characters. A closed standard error is ignored.
  static func write(encoded text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Writes lines to standard output, without control characters.
  ///
  /// - Throws: ``CommandError`` if it cannot be written, for example on a full device.
  static func output(_ lines: String) throws(CommandError) { try output(encoded: lines.withoutControls) }

  /// Writes text to standard output unchanged.
  ///
  /// It may contain only Batchmark's own control characters: a file of the report, or a table with styles.
  ///
  /// - Throws: ``CommandError`` if it cannot be written, for example on a full device; without a message if the reader
  ///   has closed it.
  static func output(encoded text: String) throws(CommandError) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      if errno == EPIPE { throw CommandError(.closedPipe, lines: []) }
      throw CommandError(.unwritableOutput, "standard output cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  /// Writes to one of the streams, like ``write(encoded:)`` or ``output(encoded:)``.
  ///
  /// - Throws: ``CommandError`` if standard output cannot be written.
  static func write(encoded text: String, to stream: Stream) throws(CommandError) {
    switch stream {
    case .output: try output(encoded: text)
    case .error: write(encoded: text)
    }
  }
}
