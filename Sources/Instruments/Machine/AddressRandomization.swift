// Runs a process with the same addresses every time. Block addresses decide the order of objects hashed by identity,
// and thereby allocations, which exact counters would report as changes.

/// The kernel's randomization of a process's addresses.
package enum AddressRandomization {
  /// Whether this process runs without address randomization.
  package static var isOff: Bool { OperatingSystem.addressesAreFixed() }

  /// Restarts this executable with the same arguments, but without address randomization.
  ///
  /// Returns if randomization is already off.
  ///
  /// Call this first, before reading or writing anything, because memory, threads and buffers of this image are lost.
  /// The process stays the same for its parent. It inherits descriptors and environment; an environment variable
  /// prevents a second restart.
  ///
  /// - Throws: ``InstrumentError/addressesStayRandom(reason:)`` if the system does not allow it, as in a container with
  ///   a seccomp profile that refuses `personality`. The process then continues unchanged.
  package static func reexecuteWithout() throws(InstrumentError) {
    guard !isOff else { return }
    throw .addressesStayRandom(reason: OperatingSystem.reexecuteWithFixedAddresses(marker: marker))
  }

  static let marker = "BATCHMARK_FIXED_ADDRESSES"
}
