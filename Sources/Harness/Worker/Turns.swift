// Two workers that are alive at once and take their trials by turns: what a shared machine does to one, it then does to
// the other a moment later, and their ratio hardly shows it.
internal import Foundation
internal import Instruments

/// How a worker takes turns with another.
///
/// In every trial both get ready. Then both do the measured work, only one of them at any time: they alternate after
/// every slice of it (`TimeSlices` of Instruments). Then both check what they stored. They signal each other by bytes in two
/// named pipes, which the harness makes and keeps open, so that neither waits for the other to open them.
package struct Turns: Codable, Sendable, Hashable {
  /// The path of the pipe that this worker writes to.
  package var outbox: String
  /// The path of the pipe that this worker reads from.
  package var inbox: String
  /// For each trial, whether this worker is first.
  package var goesFirst: [Bool]
  /// The processors on which this worker may run when it is not its turn; empty for those it was started on.
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
  ///   - processor: The processor for the measured work; nil for any.
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

  /// What the second says when it is ready; the rest are the words of ``TimeSlices``.
  private static let ready: UInt8 = 0x72

  /// How many trials the two workers take.
  var trials: Int { turns.goesFirst.count }

  /// Waits for the worker's turn, does the work in slices and leaves the rest of the time to the other.
  ///
  /// - Parameters:
  ///   - trial: Which of the trials, from 0.
  ///   - work: What is measured.
  /// - Returns: How often it was handed over.
  /// - Throws: ``SampleError`` for a trial without a turn or a word that makes no sense, or what the work throws.
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
    // When the work fails the harness stops the other one.
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
