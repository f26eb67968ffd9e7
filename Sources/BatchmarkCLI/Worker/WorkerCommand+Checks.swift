// What a worker makes sure of before it measures: fixed addresses, the allocator, the meter, fixed hashing.
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments
internal import BatchmarkEngine

extension WorkerCommand {
  /// Starts the process again without address randomization, so that exact figures repeat to the bit.
  ///
  /// - Returns: Why that was not possible, for the sample's notes.
  func fixAddresses() -> [String] {
    do {
      try AddressRandomization.reexecuteWithout()
      return []
    } catch {
      return ["\(error)"]
    }
  }

  /// Checks that the process measures what the job says it measures.
  ///
  /// - Throws: ``CommandError`` naming what is not as it must be.
  func checkProcess(_ job: SampleJob) throws {
    guard ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] == "1" else {
      throw CommandError(.internalError, "the worker was started without SWIFT_DETERMINISTIC_HASHING=1")
    }
    if Jemalloc.isLinked { try Jemalloc.verifyIsAllocator() }
    let isMetered = AllocationMeter.isInMemoryMap
    guard isMetered == job.isMetered else {
      let pass = "the \(job.pass.rawValue) pass" + (job.pass == .timing && job.isMetered ? " of \(job.cell.id)" : "")
      throw CommandError(
        .internalError,
        isMetered
          ? "the allocation meter is loaded in \(pass), whose figures it would spoil"
          : "the allocation meter is not loaded in \(pass); see what '\(Console.programName) doctor' says")
    }
  }
}
