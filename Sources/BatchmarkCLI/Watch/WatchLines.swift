// Lines of JSON while a watched program runs, for other programs.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports

/// A line of JSON for each second.
final class WatchLines {
  private let file: FileHandle

  /// - Throws: ``CommandError`` where the file cannot be written.
  init(to path: String) throws(CommandError) {
    if path == "-" {
      file = .standardOutput
      return
    }
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    guard let file = FileHandle(forWritingAtPath: path) else {
      throw CommandError(.unwritableOutput, "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
    _ = fcntl(file.fileDescriptor, F_SETFD, FD_CLOEXEC)
    self.file = file
  }

  /// What nobody reads any more is nobody's concern.
  func write(_ moment: WatchReport.Moment) {
    guard let line = try? WatchWriter.line(moment) else { return }
    try? file.write(contentsOf: Data(line.utf8))
  }
}
