// A concurrent reader or writer as a thread of the measured process, with its own connection.
internal import BatchmarkEngine
internal import Statistics
internal import Support
internal import Synchronization

/// A reader or writer in a thread of this process.
final class ConcurrentThread: ConcurrentOperator {
  private typealias Outcome = (tally: OperationTally, slices: LatencySlices)

  /// The state that the worker and the thread share.
  private struct State {
    var isReady = false
    var begin: (first: UInt64, origin: UInt64)?
    var end: (moment: UInt64, joining: Int)?
    /// Whether the worker has abandoned the thread, so that no one needs the outcome.
    var isLeft = false
    var outcome: Outcome?
    /// Why it stopped, as a sentence.
    var failure: String?
  }

  private final class Conversation: Sendable {
    let state = Mutex(State())
  }

  /// Thrown when the worker has abandoned the thread.
  ///
  /// It is not an error of an operation.
  private struct Left: Error {}

  /// The polling interval of either side, in nanoseconds.
  private static let pause = 500_000

  private let name: OperationClass
  private let conversation = Conversation()
  private let thread: PlainThread

  /// Starts the thread.
  init(_ name: OperationClass, _ job: ConcurrentJob) throws {
    self.name = name
    let conversation = conversation
    do throws(SystemError) {
      thread = try PlainThread { ConcurrentThread.run(job, conversation) }
    } catch {
      throw ConcurrentProcessError(name, "it could not be started: \(error)")
    }
  }

  /// If its worker has stopped, the thread ends on its own, because it may be waiting for a lock of that worker.
  deinit { conversation.state.withLock { $0.isLeft = true } }

  func waitUntilReady(limit: Double) throws {
    try wait(limit) { $0.isReady ? true : nil }
  }

  func begin(at first: UInt64, ofAll origin: UInt64) {
    conversation.state.withLock { $0.begin = (first, origin) }
  }

  func end(at moment: UInt64, joining: Int) {
    conversation.state.withLock { $0.end = (moment, joining) }
  }

  func outcome(limit: Double) throws -> (OperationTally, LatencySlices) {
    let outcome = try wait(limit) { $0.outcome }
    thread.join()
    return outcome
  }

  /// Waits until the thread has reported something.
  @discardableResult
  private func wait<Word>(_ seconds: Double, for word: (State) -> Word?) throws -> Word {
    let last = MonotonicClock.now() + UInt64(seconds * 1e9)
    while true {
      let (found, failure) = conversation.state.withLock { (word($0), $0.failure) }
      if let found { return found }
      if let failure { throw ConcurrentProcessError(name, failure) }
      guard MonotonicClock.now() < last else { throw ConcurrentProcessError(name, "it did not answer in time") }
      PlainThread.sleep(nanoseconds: ConcurrentThread.pause)
    }
  }

  private static func run(_ job: ConcurrentJob, _ conversation: Conversation) {
    do {
      let operation = try ConcurrentOperation(job)
      conversation.state.withLock { $0.isReady = true }
      let (first, origin) = try beginning(conversation)
      let outcome = try operation.run(rate: job.rate, begin: first, origin: origin) {
        let (end, isLeft) = conversation.state.withLock { ($0.end, $0.isLeft) }
        if isLeft { throw Left() }
        return end
      }
      try operation.close()
      conversation.state.withLock { $0.outcome = outcome }
    } catch {
      conversation.state.withLock { $0.failure = "\(error)" }
    }
  }

  private static func beginning(_ conversation: Conversation) throws -> (first: UInt64, origin: UInt64) {
    while true {
      let (begin, isLeft) = conversation.state.withLock { ($0.begin, $0.isLeft) }
      if let begin { return begin }
      if isLeft { throw Left() }
      PlainThread.sleep(nanoseconds: pause)
    }
  }
}
