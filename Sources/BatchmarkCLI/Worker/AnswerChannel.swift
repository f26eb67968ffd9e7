// Where a worker's one line goes: a private duplicate of standard output, so that nothing an engine prints gets into it.
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
    setEndsWithReader(true)
  }

  /// Has the kernel end the worker when the harness is gone, however it went: a run that is resumed must not be
  /// measured beside a worker of the run before.
  ///
  /// The last reader of a pipe to close it makes the kernel send SIGIO to a writer that asks for it, and SIGIO ends a
  /// process that does not handle it. So no thread has to watch. A death signal would not do: it comes at the end of
  /// the thread that started the worker.
  private func setEndsWithReader(_ isWanted: Bool) {
    #if os(Linux)
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
      let flags = fcntl(descriptor, F_GETFL)
      guard flags >= 0 else { return }
      if !isWanted {
        _ = fcntl(descriptor, F_SETFL, flags & ~O_ASYNC)
        return
      }
      signal(SIGIO, SIG_DFL)
      _ = fcntl(descriptor, F_SETOWN, getpid())
      _ = fcntl(descriptor, F_SETFL, flags | O_ASYNC)
      // It may have gone before it was watched.
      var end = pollfd(fd: descriptor, events: 0, revents: 0)
      if poll(&end, 1, 0) == 1 && Int32(end.revents) & Int32(POLLERR) != 0 {
        _exit(CommandStatus.internalError.rawValue)
      }
    #endif
  }

  /// Sends the answer as one line.
  func send(_ answer: WorkerAnswer) throws {
    // Reading the answer makes the same signal.
    setEndsWithReader(false)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let line = try encoder.encode(answer) + Data("\n".utf8)
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: line)
  }
}
