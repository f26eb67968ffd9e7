// Choosing the processor on which pairs are measured.
internal import Analysis
internal import Harness
internal import Instruments

extension PairProcessors {
  /// Keeps this process off the processor that the workers are to have for themselves while they are measured.
  ///
  /// - Returns: Nil where there is no choice.
  static func reserve() -> PairProcessors? {
    guard let quietest = Processors.quietest() else { return nil }
    let all = Processors.allowed()
    return Processors.stay(on: all.filter { $0 != quietest }) ? PairProcessors(measured: quietest, between: all) : nil
  }
}
