// The minimum limits of a process: below them it might crash before it could report a problem.
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments

/// The limits that the system sets for this process.
enum ProcessLimits {
  /// Refuses to start below the minimums in the article LimitsReference.
  ///
  /// - Throws: ``CommandError`` with the limit, its value, and the required value.
  static func check() throws(CommandError) {
    #if os(Linux)
      // Without it, not even the command line can be read.
      guard access("/proc/self/exe", F_OK) == 0 else {
        throw CommandError(
          .internalError, "found no /proc here, from which a process learns what it uses; mount it")
      }
    #endif
    try check(RLIMIT_STACK, least: leastStack, "the stack", "ulimit -s")
    try check(RLIMIT_AS, least: leastAddressSpace, "the address space", "ulimit -v")
    if let bytes = Machine.controlGroupLimits?.memoryBytes, bytes < leastMemory {
      throw refusal("the control group's memory", Int64(bytes), leastMemory, "memory.max of the control group")
    }
  }

  /// The deepest allowed nesting of a file requires this (``Nesting``).
  private static let leastStack: Int64 = 512 << 10
  private static let leastAddressSpace: Int64 = 512 << 20
  private static let leastMemory: Int64 = 32 << 20

  #if os(Linux)
    private typealias Resource = __rlimit_resource
  #else
    private typealias Resource = Int32
  #endif

  private static func check(
    _ resource: Resource, least: Int64, _ name: String, _ setting: String
  ) throws(CommandError) {
    var limit = rlimit()
    guard getrlimit(.init(resource.rawValue), &limit) == 0, limit.rlim_cur < UInt64(least) else { return }
    throw refusal(name, Int64(clamping: limit.rlim_cur), least, setting)
  }

  private static func refusal(_ name: String, _ found: Int64, _ least: Int64, _ setting: String) -> CommandError {
    CommandError(
      .internalError,
      "found a limit of \(EnvironmentFacts.bytes(found)) for \(name); expected at least \(EnvironmentFacts.bytes(least)): "
        + "raise it (\(setting))")
  }
}
