// jemalloc's heap profiler: stacks of a sample of all allocations, in the format that `jeprof` reads.
internal import Synchronization
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The heap profile of this process, if jemalloc supports it and the process was started for it.
package enum HeapProfile {
  /// The environment variable that a process must be started with.
  package static let variable = "MALLOC_CONF"
  /// The value of the variable: profiling is available but off until ``begin()``, and counts all allocations, not only
  /// live ones.
  package static let setting = "prof:true,prof_active:false,prof_accum:true,lg_prof_sample:\(sampleExponent)"
  /// The average number of allocated bytes for each sampled allocation.
  package static let sampleBytes = 1 << sampleExponent
  private static let sampleExponent = 14

  /// Why this jemalloc cannot profile the heap, in one sentence; `nil` if it can.
  package static var obstacle: String? {
    guard let version = Jemalloc.version else { return "\(InstrumentError.builtWithoutJemalloc)" }
    if JemallocControl.flag("config.prof") == true { return nil }
    return "jemalloc \(version) was built without its profiler (config.prof is false); install one that was configured "
      + "with --enable-prof, as Debian's libjemalloc2 is"
  }

  /// Starts profiling from zero.
  ///
  /// - Throws: ``InstrumentError/noHeapProfile(reason:)``.
  package static func begin() throws(InstrumentError) {
    if let obstacle { throw .noHeapProfile(reason: obstacle) }
    guard JemallocControl.flag("opt.prof") == true else {
      throw .noHeapProfile(reason: "the process was started without \(variable)=\(setting)")
    }
    guard JemallocControl.call("prof.reset"), JemallocControl.write("prof.active", true) else {
      throw .noHeapProfile(reason: "jemalloc does not let its profiler be switched on")
    }
  }

  /// How close the heap must come to its highest level: workers may differ by a few bytes.
  package static let peakShare = 0.995

  /// Starts profiling, and writes the live heap to a file when it first comes close to its highest level.
  ///
  /// - Parameters:
  ///   - peakBytes: The highest level above the present one, as measured by an earlier worker with the same work.
  ///   - meter: Reports when the level is reached.
  ///   - path: The file, which `jeprof` reads.
  /// - Throws: ``InstrumentError/noHeapProfile(reason:)``.
  package static func begin(
    untilPeakOf peakBytes: Int64, by meter: AllocationMeter, writingTo path: String
  ) throws(InstrumentError) {
    // Allocate it here and keep it: the file is written during an allocation, when no other allocation is possible.
    let old = peakFile.withLock { file in
      let old = file
      file = path.withCString { strdup($0) }.map { UInt(bitPattern: $0) } ?? 0
      return old
    }
    free(UnsafeMutableRawPointer(bitPattern: old))
    try begin()
    let level = meter.figures().liveBytes + Int64(Double(peakBytes) * peakShare)
    meter.alert(atLiveBytes: level) {
      HeapProfile.peakFile.withLock { file in
        guard let path = UnsafePointer<CChar>(bitPattern: file) else { return }
        JemallocControl.write("prof.dump", path)
      }
    }
  }

  /// Stops what ``begin(untilPeakOf:by:writingTo:)`` started.
  ///
  /// - Throws: ``InstrumentError/noHeapProfile(reason:)``.
  package static func endPeak(by meter: AllocationMeter) throws(InstrumentError) {
    meter.alert(atLiveBytes: .max, nil)
    guard JemallocControl.write("prof.active", false) else {
      throw .noHeapProfile(reason: "jemalloc does not let its profiler be switched off")
    }
  }

  /// The address of the path of the file to write at the peak; 0 before the first.
  private static let peakFile = Mutex<UInt>(0)

  /// Stops the profile, and writes it to a file that `jeprof` reads.
  ///
  /// - Parameter path: The file, which is overwritten.
  /// - Throws: ``InstrumentError/noHeapProfile(reason:)``.
  package static func end(writingTo path: String) throws(InstrumentError) {
    guard JemallocControl.write("prof.active", false) else {
      throw .noHeapProfile(reason: "jemalloc does not let its profiler be switched off")
    }
    let isWritten = path.withCString { JemallocControl.write("prof.dump", $0) }
    guard isWritten else { throw .noHeapProfile(reason: "jemalloc cannot write it to \(path)") }
  }
}
