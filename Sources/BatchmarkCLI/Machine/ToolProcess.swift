// Other programs that a command calls, such as git; found in PATH.
internal import Foundation
internal import Support

enum ToolProcess {
  /// Git's answers to what is asked here are a few lines.
  private static let limit = 1 << 20

  /// The lines that a command says on standard output, empty ones left out; nil when it cannot be started or fails.
  static func lines(of arguments: [String], limit: Int = limit) -> [String]? {
    let process = process(arguments, output: .kept(limit: limit), errors: .dropped)
    guard let end = try? process.run(), end.status == .exited(0) else { return nil }
    return String(decoding: end.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Runs a command, and shows what it says on standard error.
  ///
  /// - Throws: ``SystemError`` when it could not be started.
  static func run(_ arguments: [String]) throws(SystemError) -> ChildProcess.ExitStatus {
    let relay = LineRelay()
    defer { relay.end() }
    return try process(arguments, output: .relayed { relay.take($0) }, errors: .joined).run().status
  }

  private static func process(
    _ arguments: [String], output: ChildProcess.Stream, errors: ChildProcess.Stream
  ) -> ChildProcess {
    ChildProcess("/usr/bin/env", arguments, output: output, errors: errors)
  }
}
