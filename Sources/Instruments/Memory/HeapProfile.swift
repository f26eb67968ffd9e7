// jemalloc's heap profiler: the stacks of a sample of all allocations, in the format that `jeprof` reads.
internal import Synchronization
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The heap profile of this process, where jemalloc was built with it and the process started for it.
package enum HeapProfile {
  /// The variable that a process must be started with.
  package static let variable = "MALLOC_CONF"
  /// Its value: profiling is available, but off until ``begin()``, and counts all allocations, not only live ones.
  package static let setting = "prof:true,prof_active:false,prof_accum:true,lg_prof_sample:\(sampleExponent)"
  /// How many allocated bytes there are for each sampled allocation, on average.
  package static let sampleBytes = 1 << sampleExponent
  private static let sampleExponent = 14

  /// Why there can be no heap profile with this jemalloc, in one sentence; nil where there can.
  package static var obstacle: String? {
    guard let version = Jemalloc.version else { return "\(InstrumentError.builtWithoutJemalloc)" }
    if JemallocControl.flag("config.prof") == true { return nil }
    return "jemalloc \(version) was built without its profiler (config.prof is false); install one that was configured "
      + "with --enable-prof, as Debian's libjemalloc2 is"
  }

  /// Starts to profile, from zero.
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

  /// How close to its highest level the heap must come: workers may differ by a few bytes.
  package static let peakShare = 0.995

  /// Starts to profile, and writes the live heap to a file when it first comes close to its highest level.
  ///
  /// - Parameters:
  ///   - peakBytes: That level above the present one, as an earlier worker measured it for the same work.
  ///   - meter: Reports when the level is reached.
  ///   - path: The file, which `jeprof` reads.
  /// - Throws: ``InstrumentError/noHeapProfile(reason:)``.
  package static func begin(
    untilPeakOf peakBytes: Int64, by meter: AllocationMeter, writingTo path: String
  ) throws(InstrumentError) {
    // Allocated here and kept: the file is written in the middle of an allocation, where no other is possible.
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

  /// Ends what ``begin(untilPeakOf:by:writingTo:)`` began.
  ///
  /// - Throws: ``InstrumentError/noHeapProfile(reason:)``.
  package static func endPeak(by meter: AllocationMeter) throws(InstrumentError) {
    meter.alert(atLiveBytes: .max, nil)
    guard JemallocControl.write("prof.active", false) else {
      throw .noHeapProfile(reason: "jemalloc does not let its profiler be switched off")
    }
  }

  /// The address of the path of the file that is written at the peak; 0 before the first.
  private static let peakFile = Mutex<UInt>(0)

  /// Ends the profile, and writes it to a file that `jeprof` reads.
  ///
  /// - Parameter path: The file, which is written over.
  /// - Throws: ``InstrumentError/noHeapProfile(reason:)``.
  package static func end(writingTo path: String) throws(InstrumentError) {
    guard JemallocControl.write("prof.active", false) else {
      throw .noHeapProfile(reason: "jemalloc does not let its profiler be switched off")
    }
    let isWritten = path.withCString { JemallocControl.write("prof.dump", $0) }
    guard isWritten else { throw .noHeapProfile(reason: "jemalloc cannot write it to \(path)") }
  }
}
