// A reader or writer beside the operation, in a thread or a process; and its implementation as a process.
internal import BatchmarkEngine
internal import Foundation
internal import Statistics
internal import Support

/// A reader or a writer that has been started, as the worker sees it.
///
/// Every call throws ``ConcurrentProcessError`` where it did not do its work.
protocol ConcurrentOperator: AnyObject {
  /// Waits until it has the store open, for at most so many seconds.
  func waitUntilReady(limit: Double) throws
  /// Starts its operations at a moment of the monotonic clock; also passes the moment of the first operation of all.
  func begin(at first: UInt64, ofAll origin: UInt64) throws
  /// Makes no operation due after that moment; the outcome joins so many slices of time to one.
  func end(at moment: UInt64, joining: Int) throws
  /// The results of its operations, within so many seconds; it has ended then.
  func outcome(limit: Double) throws -> (OperationTally, LatencySlices)
}

/// The executable to start for a reader or a writer; the word that selects this follows its arguments.
struct ConcurrentExecutable {
  let path: String
  let arguments: [String]
}

/// A reader or a writer in a process of its own.
final class ConcurrentChild: ConcurrentOperator {
  /// Seconds that it has to take a message, and to end when it has answered.
  private static let patience = 20.0
  /// Bytes of a line; a histogram has a few kilobytes, and there is one for each slice of the phase.
  private static let longestLine = 16 << 20

  private let name: OperationClass
  private let process: PipedProcess

  /// Starts it.
  init(_ name: OperationClass, _ job: ConcurrentJob, _ executable: ConcurrentExecutable) throws {
    self.name = name
    var child = ChildProcess(
      executable.path, executable.arguments + [ConcurrentProcess.word], output: .dropped, errors: .dropped)
    child.isExpendable = true
    do throws(SystemError) { process = try PipedProcess(child) } catch {
      throw ConcurrentProcessError(name, "it could not be started: \(error)")
    }
    try send(job)
  }

  func waitUntilReady(limit: Double) throws {
    guard case .ready = try answer(limit: limit) else {
      throw ConcurrentProcessError(name, "its first answer was not that it is ready")
    }
  }

  func begin(at first: UInt64, ofAll origin: UInt64) throws {
    try send(ConcurrentRequest.begin(first, ofAll: origin))
  }

  func end(at moment: UInt64, joining: Int) throws { try send(ConcurrentRequest.end(moment, joining: joining)) }

  func outcome(limit: Double) throws -> (OperationTally, LatencySlices) {
    guard case .tally(let tally, let slices) = try answer(limit: limit) else {
      throw ConcurrentProcessError(name, "its last answer does not say what became of its operations")
    }
    process.end(within: ConcurrentChild.patience)
    return (tally, slices)
  }

  private func send(_ line: some Encodable) throws {
    let bytes = Array(try JSONEncoder().encode(line)) + [UInt8(ascii: "\n")]
    do throws(PipedProcess.Failure) { try process.write(bytes, limit: ConcurrentChild.patience) } catch {
      // A process that gave up said why before it ended.
      _ = try answer(limit: 1)
      throw ConcurrentProcessError(name, error, printed: process.lastPrinted)
    }
  }

  private func answer(limit: Double) throws -> ConcurrentAnswer {
    let line: [UInt8]
    do throws(PipedProcess.Failure) {
      line = try process.readLine(longest: ConcurrentChild.longestLine, limit: limit)
    } catch {
      throw ConcurrentProcessError(name, error, printed: process.lastPrinted)
    }
    guard let answer = try? JSONDecoder().decode(ConcurrentAnswer.self, from: Data(line)) else {
      throw ConcurrentProcessError(
        name, "it answered \(String(decoding: line.prefix(80), as: UTF8.self).debugDescription)")
    }
    if case .failed(let reason) = answer { throw ConcurrentProcessError(name, reason) }
    return answer
  }
}
