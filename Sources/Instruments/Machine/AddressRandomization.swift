// Running at the same addresses every time: the addresses of blocks decide the order of objects hashed by identity, and with
// it allocations that exact counters would show as changes.

/// The kernel's randomization of a process's addresses.
package enum AddressRandomization {
  /// Whether this process runs without address randomization.
  package static var isOff: Bool { OperatingSystem.addressesAreFixed() }

  /// Restarts this executable with the same arguments, without address randomization.
  ///
  /// Returns if it is off already.
  ///
  /// Call this first, before anything is read from standard input or written, because memory, threads and buffers of this
  /// image are lost. To its parent, the process stays the same. It inherits descriptors and environment, and a variable in the
  /// environment keeps it from restarting more than once.
  ///
  /// - Throws: ``InstrumentError/addressesStayRandom(reason:)`` when the system does not allow it, as in a container
  ///   whose seccomp profile refuses `personality`; the process then continues as it was.
  package static func reexecuteWithout() throws(InstrumentError) {
    guard !isOff else { return }
    throw .addressesStayRandom(reason: OperatingSystem.reexecuteWithFixedAddresses(marker: marker))
  }

  static let marker = "BATCHMARK_FIXED_ADDRESSES"
}
