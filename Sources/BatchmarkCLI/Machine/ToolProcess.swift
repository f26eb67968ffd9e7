// Runs other programs such as git, which are found in PATH.
internal import Foundation
internal import Reports
internal import Support
internal import Synchronization

enum ToolProcess {
  /// The maximum size of an answer; git's answers have a few lines.
  private static let limit = 1 << 20

  /// The lines of a command's standard output, without empty ones; `nil` if it cannot be started or fails.
  static func lines(of arguments: [String], limit: Int = limit) -> [String]? {
    let process = process(arguments, output: .kept(limit: limit), errors: .dropped)
    guard let end = try? process.run(), end.status == .exited(0) else { return nil }
    return String(decoding: end.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Runs a command, and shows its standard error.
  ///
  /// - Throws: ``SystemError`` if it could not be started.
  static func run(_ arguments: [String]) throws(SystemError) -> ChildProcess.ExitStatus {
    let relay = LineRelay()
    defer { relay.end() }
    return try process(arguments, output: .relayed { relay.take($0) }, errors: .joined).run().status
  }

  private static func process(
    _ arguments: [String], output: ChildProcess.Stream, errors: ChildProcess.Stream
  ) -> ChildProcess {
    // The results for an earlier commit do not belong in the job's summary.
    let environment = ChildProcess.ownEnvironment(with: [StepSummary.variable: ""])
    // `env` would read a path that contains `=` as a variable.
    if let path = arguments.first, path.hasPrefix("/") {
      return ChildProcess(
        path, Array(arguments.dropFirst()), environment: environment, output: output, errors: errors)
    }
    return ChildProcess("/usr/bin/env", arguments, environment: environment, output: output, errors: errors)
  }
}

/// Passes lines on to standard error, without control characters.
final class LineRelay: Sendable {
  /// A longer line is passed on in parts.
  private static let longest = 1 << 16

  private let rest = Mutex<[UInt8]>([])

  /// Adds bytes, and keeps an incomplete line until its end arrives.
  func take(_ bytes: UnsafeRawBufferPointer) {
    rest.withLock { rest in
      rest.append(contentsOf: bytes)
      let whole = rest.lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { $0 + 1 } ?? 0
      let count = rest.count - whole > LineRelay.longest ? rest.count : whole
      LineRelay.show(rest[..<count])
      rest.removeFirst(count)
    }
  }

  /// Passes on the rest.
  func end() {
    rest.withLock { rest in
      LineRelay.show(rest[...])
      rest = []
    }
  }

  private static func show(_ bytes: ArraySlice<UInt8>) {
    if !bytes.isEmpty { Console.write(encoded: String(decoding: bytes, as: UTF8.self).withoutControls) }
  }
}
