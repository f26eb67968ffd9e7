// Which processor a process runs on: samples that are compared are taken on one, and their driver stays off it.

/// The machine's processors, as far as this process may use them.
package enum Processors {
  /// The numbers of the processors that this process may run on; empty where the system does not report them.
  package static func allowed() -> [Int] { OperatingSystem.allowedProcessors() }

  /// Keeps this process' present and later threads on the processors.
  ///
  /// - Returns: Whether the system did so.
  package static func stay(on processors: [Int]) -> Bool { OperatingSystem.stay(on: processors) }

  /// The allowed processor with the fewest soft interrupts, where a measurement is disturbed least.
  ///
  /// - Returns: Nil where there is no choice, or the system does not report it (`/proc/softirqs`).
  package static func quietest() -> Int? {
    let allowed = allowed()
    guard allowed.count > 1, let counts = OperatingSystem.softInterrupts() else { return nil }
    return allowed.filter { counts[$0] != nil }.min { (counts[$0] ?? 0, $0) < (counts[$1] ?? 0, $1) }
  }
}
