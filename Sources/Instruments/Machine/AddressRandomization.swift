// Running at the same addresses every time: where blocks lie decides the order of what is hashed by identity, and with
// it allocations that exact counters would show as changes.

/// The kernel's randomization of a process's addresses.
package enum AddressRandomization {
  /// Whether this process runs without address randomization.
  package static var isOff: Bool { OperatingSystem.addressesAreFixed() }

  /// Starts this executable over with the same arguments, without address randomization; returns when it is off.
  ///
  /// To be called first thing, before anything was read from standard input or written: memory, threads and buffers
  /// of this image are gone. The process stays the same to its parent, and inherits descriptors and environment; a
  /// variable added to the environment keeps it from starting over more than once.
  ///
  /// - Throws: ``InstrumentError/addressesStayRandom(reason:)`` when the system does not allow it, as in a container
  ///   whose seccomp profile refuses `personality`; the process then continues as it was.
  package static func reexecuteWithout() throws(InstrumentError) {
    guard !isOff else { return }
    throw .addressesStayRandom(reason: OperatingSystem.reexecuteWithFixedAddresses(marker: marker))
  }

  static let marker = "BATCHMARK_FIXED_ADDRESSES"
}
