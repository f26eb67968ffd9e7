// The channel for a worker's one line: a private duplicate of standard output, which nothing that an engine prints reaches.
internal import Analysis
internal import Foundation
internal import Harness

/// The way back to the harness.
struct AnswerChannel {
  private let descriptor: Int32

  /// Takes standard output for itself and points it at standard error.
  ///
  /// - Throws: ``CommandError`` when descriptors cannot be had.
  init() throws(CommandError) {
    descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw CommandError(
        .internalError, "the worker cannot set up its standard output: \(String(cString: strerror(errno)))")
    }
  }

  /// Sends the answer as one line.
  func send(_ answer: SampleOutcome) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let line = try encoder.encode(answer) + Data("\n".utf8)
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: line)
  }
}
