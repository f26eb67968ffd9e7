// The two named pipes by which the workers of a pair pass the turn to each other, and the processors they run on.
internal import Foundation
internal import Instruments

/// The pipes of a pair, held open at both ends until they are closed.
///
/// So a worker that opens its end never waits for the other. If one worker ends, the harness sees it and stops the other.
struct TurnPipes: Sendable {
  private let paths: [String]
  private let ends: [FileHandle]

  /// Makes the pipes in an empty folder.
  init(in folder: String) throws(OutputError) {
    paths = ["\(folder)/to-second", "\(folder)/to-first"]
    var ends: [FileHandle] = []
    for path in paths {
      guard mkfifo(path, 0o600) == 0, let end = FileHandle(forUpdatingAtPath: path) else {
        throw .unwritable(path: path, reason: String(cString: strerror(errno)))
      }
      ends.append(end)
    }
    self.ends = ends
  }

  /// What the first or the second worker receives.
  func turns(isFirst: Bool, goesFirst: [Bool], processorsBetween: [Int]) -> Turns {
    Turns(
      outbox: paths[isFirst ? 0 : 1], inbox: paths[isFirst ? 1 : 0], goesFirst: goesFirst,
      processorsBetween: processorsBetween)
  }

  func close() { for end in ends { try? end.close() } }
}

/// Where the workers of a pair run.
package struct PairProcessors: Sendable, Hashable {
  /// Where they run while they are measured, one at a time.
  package var measured: Int
  /// Where they run while they get ready and check.
  package var between: [Int]

  package init(measured: Int, between: [Int]) {
    self.measured = measured
    self.between = between
  }

  /// Keeps this process off the processor that the workers use exclusively while they are measured.
  ///
  /// - Returns: Nil if there is no choice.
  package static func reserve() -> PairProcessors? {
    guard let quietest = Processors.quietest() else { return nil }
    let all = Processors.allowed()
    return Processors.stay(on: all.filter { $0 != quietest }) ? PairProcessors(measured: quietest, between: all) : nil
  }
}
