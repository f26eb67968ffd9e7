// Two workers that are alive at once and take their trials by turns: what a shared machine does to one, it then does to
// the other a moment later, and their ratio hardly shows it.
internal import Foundation
internal import Instruments

/// How a worker takes turns with another.
///
/// In every trial both get ready; then one does the work that is measured while the other waits, then the other; then
/// both check what they stored. They tell each other by bytes in two named pipes, which the harness makes and keeps
/// open, so that nobody waits for the other to open them.
public struct Turns: Codable, Sendable, Hashable {
  /// The path of the pipe that this worker writes to.
  public var outbox: String
  /// The path of the pipe that this worker reads from.
  public var inbox: String
  /// For every trial whether this worker goes first.
  public var goesFirst: [Bool]
  /// Where this worker may run when it is not its turn; empty for where it was started.
  ///
  /// Getting ready and checking are not measured, so that both may do them at once.
  public var processorsBetween: [Int]

  public init(outbox: String, inbox: String, goesFirst: [Bool], processorsBetween: [Int]) {
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
  ///   - turns: Who goes when.
  ///   - processor: Where the work that is measured runs; nil for anywhere.
  /// - Throws: ``SampleError/instrument(_:)`` when a pipe is not there.
  init(_ turns: Turns, processor: Int?) throws {
    guard let outbox = FileHandle(forWritingAtPath: turns.outbox),
      let inbox = FileHandle(forReadingAtPath: turns.inbox)
    else { throw SampleError.instrument("the pipes to the other worker of the pair are not there") }
    self.turns = turns
    self.processor = processor
    self.outbox = outbox
    self.inbox = inbox
  }

  /// What a worker says: each is said once in every trial, so that nothing else can be meant.
  private enum Word: UInt8 {
    /// The second is ready.
    case ready = 0x72
    /// The first has done its work.
    case yours = 0x79
    /// The second has done its work.
    case done = 0x64
  }

  /// Waits for the worker's turn, does the work and hands over.
  func take<T>(trial: Int, _ work: () throws -> T) throws -> T {
    if let processor { try stay(on: [processor]) }
    let isFirst = turns.goesFirst.indices.contains(trial) ? turns.goesFirst[trial] : true
    if isFirst {
      try hear(.ready)
    } else {
      try say(.ready)
      try hear(.yours)
    }
    let result = try work()
    try say(isFirst ? .yours : .done)
    if isFirst { try hear(.done) }
    if processor != nil, !turns.processorsBetween.isEmpty { try stay(on: turns.processorsBetween) }
    return result
  }

  private func stay(on processors: [Int]) throws {
    guard Processors.stay(on: processors) else { throw SampleError.processor(processors) }
  }

  private func say(_ word: Word) throws { try outbox.write(contentsOf: Data([word.rawValue])) }

  private func hear(_ word: Word) throws {
    let heard = try inbox.read(upToCount: 1)?.first
    guard heard == word.rawValue else {
      throw SampleError.instrument("the other worker of the pair did not take its turn")
    }
  }
}
