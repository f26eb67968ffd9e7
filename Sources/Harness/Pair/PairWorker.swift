// The two workers of a pair, and waiting for both at once.
internal import Instruments
internal import BatchmarkEngine
internal import Support
internal import Synchronization

/// A worker of a pair before it starts.
struct PairWorker: Sendable {
  let isBase: Bool
  let side: PairSide
  let job: SampleJob
  let trials: Int

  /// Takes both samples, the first one on a separate thread.
  ///
  /// - Returns: The outcome of each side; `nil` for a worker that was stopped because the other had failed or the run
  ///   was cancelled.
  static func take(_ first: PairWorker, _ second: PairWorker, cancellation: Cancellation) -> [Bool: SampleOutcome] {
    let outcomes = Mutex<[Bool: SampleOutcome]>([:])
    let both = Cancellation()
    return cancellation.watched(by: { both.cancel() }) {
      do throws(SystemError) {
        let thread = try PlainThread(stackBytes: 1 << 20) { outcomes.note(first.take(both), of: first) }
        outcomes.note(second.take(both), of: second)
        thread.join()
      } catch {
        outcomes.note(
          .failure(
            FailedSample(
              first.job,
              reason:
                "the two workers of a pair cannot be waited for: \(InstrumentError.threadNotStarted(errorNumber: error.number))"
            )), of: first)
      }
      return outcomes.withLock { $0 }
    }
  }

  private func take(_ both: Cancellation) -> SampleOutcome? {
    let limit = side.scenario.scenario.measure.sampleLimit
    guard let outcome = try? side.launcher.take(job, limit: limit, cancellation: both) else { return nil }
    let checked = checked(outcome)
    // Without this, the other worker would wait for its turn forever.
    if case .failure = checked.result { both.cancel() }
    return checked
  }

  /// Makes a timed sample a failure if a trial has no time, or if its worker took no turns, because the pair's other
  /// worker would wait for them.
  private func checked(_ outcome: SampleOutcome) -> SampleOutcome {
    guard case .success(let sample) = outcome.result else { return outcome }
    if sample.handovers == nil {
      return .failure(
        FailedSample(job, reason: "the worker did not take turns with the other side's: compare builds that do"))
    }
    let times = sample.mainPhase?.trialWallSeconds ?? []
    if times.count == trials, times.allSatisfy({ $0 > 0 }) { return outcome }
    return .failure(
      FailedSample(
        job,
        reason:
          "the worker answered with \(times.count { $0 > 0 }) times for \(trials) trials of what it was to measure"))
  }
}

extension Mutex<[Bool: SampleOutcome]> {
  fileprivate borrowing func note(_ outcome: SampleOutcome?, of worker: PairWorker) {
    withLock { $0[worker.isBase] = outcome }
  }
}
