// Ctrl-C: once to stop in good order, twice to stop at once.
internal import Analysis
internal import Dispatch
internal import Foundation
internal import Harness

/// Watches for SIGINT, SIGTERM and SIGHUP while it lives.
final class Interrupts {
  private let sources: [any DispatchSourceSignal]

  /// - Parameter first: Called at the first signal, on a queue of its own. The second ends the process.
  init(_ first: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "interrupts")
    let count = Counter()
    sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
      // The default action would come before the source is told.
      let before = signal(number, SIG_IGN)
      // Under nohup the end of the terminal is nothing to end for.
      if number == SIGHUP && Interrupts.ignores(before) { return nil }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        count.value += 1
        if count.value > 1 { _exit(CommandStatus.interrupted.rawValue) }
        first()
      }
      source.resume()
      return source
    }
  }

  private static func ignores(_ handler: sig_t?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  deinit {
    for source in sources { source.cancel() }
  }

  // Sendable by proof: read and written on the one serial queue alone.
  private final class Counter: @unchecked Sendable {
    var value = 0
  }
}
