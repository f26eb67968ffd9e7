// Where a worker's job comes from: one line on standard input, which the harness keeps open for as long as it lives.
internal import Analysis
internal import Foundation
internal import Harness

/// The way from the harness.
enum JobChannel {
  /// Reads the job's line; what there is when the input ends before it.
  static func readLine() -> Data {
    var line = Data()
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while line.last != UInt8(ascii: "\n") {
      let count = block.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      line.append(contentsOf: block[..<count])
    }
    return line
  }

  /// Has the kernel end the worker when the harness is gone, however it went: a run that is resumed must not be
  /// measured beside a worker of the run before.
  ///
  /// The last writer of a pipe to close it makes the kernel send SIGIO to a reader that asks for it, and SIGIO ends a
  /// process that does not handle it. So no thread has to watch. A death signal would not do: it comes at the end of
  /// the thread that started the worker.
  static func endWithHarness() {
    #if os(Linux)
      var status = stat()
      let flags = fcntl(STDIN_FILENO, F_GETFL)
      guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO, flags >= 0 else { return }
      signal(SIGIO, SIG_DFL)
      _ = fcntl(STDIN_FILENO, F_SETOWN, getpid())
      _ = fcntl(STDIN_FILENO, F_SETFL, flags | O_ASYNC)
      // It may have gone before it was watched.
      var end = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
      if poll(&end, 1, 0) == 1 && Int32(end.revents) & Int32(POLLHUP) != 0 {
        _exit(CommandStatus.internalError.rawValue)
      }
    #endif
  }
}
