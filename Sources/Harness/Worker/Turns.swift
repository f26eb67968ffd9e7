// Two workers that run at the same time and take their trials in turns. Whatever disturbs one on a shared machine also
// disturbs the other a moment later, so it hardly affects their ratio.
internal import Foundation
internal import Instruments

/// How a worker takes turns with another worker.
///
/// In every trial, both workers prepare. Then both do the measured work, but only one at a time: they alternate after
/// every slice (`TimeSlices` of Instruments). Then both check what they stored. They signal each other by bytes in two
/// named pipes, which the harness makes and keeps open, so that neither waits for the other to open them.
package struct Turns: Codable, Sendable, Hashable {
  /// The path of the pipe that this worker writes to.
  package var outbox: String
  /// The path of the pipe that this worker reads from.
  package var inbox: String
  /// For each trial, whether this worker is first.
  package var goesFirst: [Bool]
  /// The processors on which this worker may run when it is not its turn; empty for the processors it was started on.
  ///
  /// Preparation and checks are not measured, so both workers may do them at once.
  package var processorsBetween: [Int]

  package init(outbox: String, inbox: String, goesFirst: [Bool], processorsBetween: [Int]) {
    self.outbox = outbox
    self.inbox = inbox
    self.goesFirst = goesFirst
    self.processorsBetween = processorsBetween
  }
}

/// The worker's end of the pipes.
struct TurnTaking {
  private let turns: Turns
  private let processor: Int?
  private let outbox: FileHandle
  private let inbox: FileHandle

  /// - Parameters:
  ///   - turns: The order of the turns.
  ///   - processor: The processor for the measured work; `nil` for any.
  /// - Throws: ``SampleError/instrument(_:)`` if a pipe is missing.
  init(_ turns: Turns, processor: Int?) throws {
    guard let outbox = FileHandle(forWritingAtPath: turns.outbox),
      let inbox = FileHandle(forReadingAtPath: turns.inbox)
    else { throw SampleError.instrument("the pipes to the other worker of the pair are not there") }
    self.turns = turns
    self.processor = processor
    self.outbox = outbox
    self.inbox = inbox
  }

  /// What the second worker sends when it is ready; ``TimeSlices`` defines the other messages.
  private static let ready: UInt8 = 0x72

  /// How many trials the two workers take.
  var trials: Int { turns.goesFirst.count }

  /// Waits for the worker's turn and does the work in slices, alternating with the other worker.
  ///
  /// - Parameters:
  ///   - trial: The index of the trial, from 0.
  ///   - work: The measured work.
  /// - Returns: How often the processor was handed over.
  /// - Throws: ``SampleError`` for a trial without a turn or an unexpected message, or the work's error.
  func take(trial: Int, _ work: () throws -> Void) throws -> Int {
    guard turns.goesFirst.indices.contains(trial) else {
      throw SampleError.instrument("there are turns for \(trials) trials and none for trial \(trial + 1)")
    }
    if let processor { try stay(on: [processor]) }
    var isOtherDone = false
    if turns.goesFirst[trial] {
      guard try hear() == TurnTaking.ready else { throw TurnTaking.outOfTurn }
    } else {
      try say(TurnTaking.ready)
      isOtherDone = try hearWord() == .done
    }
    // If the work fails, the harness stops the other worker.
    let ending = try TimeSlices.share(
      outbox: outbox.fileDescriptor, inbox: inbox.fileDescriptor, isOtherDone: isOtherDone, work)
    if ending.isOtherLost { throw TurnTaking.outOfTurn }
    try say(TimeSlices.Word.done.rawValue)
    if !ending.isOtherDone, try hearWord() != .done { throw TurnTaking.outOfTurn }
    if processor != nil, !turns.processorsBetween.isEmpty { try stay(on: turns.processorsBetween) }
    return ending.handovers
  }

  private func stay(on processors: [Int]) throws {
    guard Processors.stay(on: processors) else { throw SampleError.processor(processors) }
  }

  private func say(_ byte: UInt8) throws { try outbox.write(contentsOf: Data([byte])) }

  private func hear() throws -> UInt8? { try inbox.read(upToCount: 1)?.first }

  private func hearWord() throws -> TimeSlices.Word {
    guard let word = try hear().flatMap(TimeSlices.Word.init) else { throw TurnTaking.outOfTurn }
    return word
  }

  private static let outOfTurn = SampleError.instrument("the other worker of the pair did not take its turn")
}
