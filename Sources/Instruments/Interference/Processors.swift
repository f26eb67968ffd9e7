// Chooses the processor of a process: samples to compare run on the same one, and their driver on others.

/// The machine's processors that this process may use.
package enum Processors {
  /// The numbers of the processors that this process may run on; empty if the system does not report them.
  package static func allowed() -> [Int] { OperatingSystem.allowedProcessors() }

  /// Restricts this process's present and later threads to the processors.
  ///
  /// - Returns: Whether the system accepted this.
  package static func stay(on processors: [Int]) -> Bool { OperatingSystem.stay(on: processors) }

  /// The allowed processor with the fewest soft interrupts, which disturbs a measurement least.
  ///
  /// - Returns: `nil` if there is no choice or the system does not report it (`/proc/softirqs`).
  package static func quietest() -> Int? {
    let allowed = allowed()
    guard allowed.count > 1, let counts = OperatingSystem.softInterrupts() else { return nil }
    return allowed.filter { counts[$0] != nil }.min { (counts[$0] ?? 0, $0) < (counts[$1] ?? 0, $1) }
  }
}
