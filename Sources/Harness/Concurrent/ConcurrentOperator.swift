// The interface of a concurrent reader or writer, in a thread or a process; and its implementation as a process.
internal import BatchmarkEngine
internal import Foundation
internal import Statistics
internal import Support

/// A reader or a writer that has been started, as the worker sees it.
///
/// Every call throws ``ConcurrentProcessError`` if the reader or writer failed.
protocol ConcurrentOperator: AnyObject {
  /// Waits until it has opened the store, for at most `limit` seconds.
  func waitUntilReady(limit: Double) throws
  /// Starts its operations at a moment of the monotonic clock. `origin` is the moment of the very first operation.
  func begin(at first: UInt64, ofAll origin: UInt64) throws
  /// Makes no operation due after that moment, and joins this many slices into one in the outcome.
  func end(at moment: UInt64, joining: Int) throws
  /// Waits at most `limit` seconds for the results. The reader or writer has then ended.
  func outcome(limit: Double) throws -> (OperationTally, LatencySlices)
}

/// The executable to start for a reader or a writer.
///
/// The word that selects the role follows its arguments.
struct ConcurrentExecutable {
  let path: String
  let arguments: [String]
}

/// A reader or a writer in a process of its own.
final class ConcurrentChild: ConcurrentOperator {
  /// The seconds it has to accept a message, and to exit after its answer.
  private static let patience = 20.0
  /// The longest line in bytes.
  ///
  /// A histogram has a few kilobytes, and there is one for each slice of the phase.
  private static let longestLine = 16 << 20

  private let name: OperationClass
  private let process: PipedProcess

  /// Starts the process.
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
      // A process that gives up says why before it exits.
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
