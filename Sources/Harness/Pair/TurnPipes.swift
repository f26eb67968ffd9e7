// The two named pipes with which the workers of a pair hand over the turn, and the processors they run on.
internal import Foundation
internal import Instruments

/// The pipes of a pair.
///
/// The harness keeps both ends open until it closes them.
///
/// A worker that opens its end therefore never waits for the other one. If one worker ends, the harness notices and
/// stops the other.
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

  /// The turns for the first or the second worker.
  func turns(isFirst: Bool, goesFirst: [Bool], processorsBetween: [Int]) -> Turns {
    Turns(
      outbox: paths[isFirst ? 0 : 1], inbox: paths[isFirst ? 1 : 0], goesFirst: goesFirst,
      processorsBetween: processorsBetween)
  }

  func close() { for end in ends { try? end.close() } }
}

/// Where the workers of a pair run.
package struct PairProcessors: Sendable, Hashable {
  /// The processor for measured work, one worker at a time.
  package var measured: Int
  /// The processors for preparation and checks.
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
