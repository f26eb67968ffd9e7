// A reader or a writer beside the operation as a thread of the measured process, over a connection of its own.
internal import BatchmarkEngine
internal import Statistics
internal import Support
internal import Synchronization

/// A reader or a writer in a thread of this process.
final class ConcurrentThread: ConcurrentOperator {
  private typealias Outcome = (tally: OperationTally, slices: LatencySlices)

  /// The state that the worker and the thread share.
  private struct State {
    var isReady = false
    var begin: (first: UInt64, origin: UInt64)?
    var end: (moment: UInt64, joining: Int)?
    /// Nobody wants to know the outcome any more.
    var isLeft = false
    var outcome: Outcome?
    /// Why it does nothing more, in a sentence.
    var failure: String?
  }

  private final class Conversation: Sendable {
    let state = Mutex(State())
  }

  /// Nothing that an operation did: the worker has left the thread.
  private struct Left: Error {}

  /// Nanoseconds after which either looks again whether the other has said something.
  private static let pause = 500_000

  private let name: OperationClass
  private let conversation = Conversation()
  private let thread: PlainThread

  /// Starts it.
  init(_ name: OperationClass, _ job: ConcurrentJob) throws {
    self.name = name
    let conversation = conversation
    do throws(SystemError) {
      thread = try PlainThread { ConcurrentThread.run(job, conversation) }
    } catch {
      throw ConcurrentProcessError(name, "it could not be started: \(error)")
    }
  }

  /// A thread whose worker has stopped ends by itself, because it may wait for a lock of that worker.
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

  /// Waits until the thread has said something.
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
