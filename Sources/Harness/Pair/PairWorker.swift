// The two workers of a pair, which are waited for at once.
internal import Instruments
internal import Scenarios
internal import Support
internal import Synchronization

/// A worker of a pair that is to be started.
struct PairWorker: Sendable {
  let isBase: Bool
  let side: PairSide
  let job: SampleJob
  let trials: Int

  /// Takes both samples, the first's on a thread of its own.
  ///
  /// - Returns: What came of each side; nothing for one that was stopped, since the other had failed or all was cancelled.
  static func take(_ first: PairWorker, _ second: PairWorker, cancellation: Cancellation) -> [Bool: WorkerOutcome] {
    let outcomes = Mutex<[Bool: WorkerOutcome]>([:])
    let both = Cancellation()
    return cancellation.watched(by: { both.cancel() }) {
      do throws(SystemError) {
        let thread = try PlainThread(stackBytes: 1 << 20) { outcomes.note(first.take(both), of: first) }
        outcomes.note(second.take(both), of: second)
        thread.join()
      } catch {
        outcomes.note(
          .failure(
            WorkerFailure(
              reason:
                "the two workers of a pair cannot be waited for: \(InstrumentError.threadNotStarted(errorNumber: error.number))"
            )), of: first)
      }
      return outcomes.withLock { $0 }
    }
  }

  private func take(_ both: Cancellation) -> WorkerOutcome? {
    let limit = side.scenario.scenario.measure.sampleLimit
    guard let outcome = try? side.launcher.take(job, limit: limit, cancellation: both) else { return nil }
    let checked = outcome.checked(trials: trials)
    // The other one would wait for its turn for ever.
    if case .failure = checked { both.cancel() }
    return checked
  }
}

extension Mutex<[Bool: WorkerOutcome]> {
  fileprivate borrowing func note(_ outcome: WorkerOutcome?, of worker: PairWorker) {
    withLock { $0[worker.isBase] = outcome }
  }
}

extension WorkerOutcome {
  /// A timed sample without a time for every trial is a failure, and so is one of a worker that took no turns, for which the
  /// other one of the pair would wait.
  fileprivate func checked(trials: Int) -> WorkerOutcome {
    guard case .sample(let sample) = self else { return self }
    if sample.handovers == nil {
      return .failure(
        WorkerFailure(
          reason:
            "the worker did not take turns with the other side's: compare builds that do"))
    }
    let times = sample.mainPhase?.trialWallSeconds ?? []
    if times.count == trials, times.allSatisfy({ $0 > 0 }) { return self }
    return .failure(
      WorkerFailure(
        reason:
          "the worker answered with \(times.count { $0 > 0 }) times for \(trials) trials of what it was to measure"))
  }
}
