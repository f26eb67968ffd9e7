// The resident set: the process's pages in physical memory, as the kernel counts them, files' pages included.

/// The process's own resident set, read by the process itself: what a parent learns about a child includes the
/// parent's own peak on Linux.
package enum ResidentSet {
  /// Bytes resident now (`/proc/self/statm`); nil where the system does not tell.
  package static func current() -> Int64? { OperatingSystem.residentBytes() }

  /// The most bytes resident since the process's image was loaded or the peak was reset (`VmHWM`); nil where the
  /// system does not tell.
  package static func peak() -> Int64? { OperatingSystem.peakResidentBytes() }

  /// Makes the bytes resident now the peak of the whole process; false where that cannot be done.
  ///
  /// Writes 5 to `/proc/self/clear_refs`, which needs a kernel with `CONFIG_PROC_PAGE_MONITOR`.
  @discardableResult
  package static func resetPeak() -> Bool { OperatingSystem.resetPeakResidentBytes() }

  /// How far a figure may be off, in bytes; nil where there is no figure.
  ///
  /// The kernel keeps the count per processor and adds it up in batches: pages times processors times the batch of
  /// `lib/percpu_counter.c`, which is 32 or twice the number of processors, whichever is more.
  package static var resolutionBytes: Int64? { OperatingSystem.residentBytesResolution() }
}
