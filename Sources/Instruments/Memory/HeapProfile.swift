// jemalloc's heap profiler: who allocates, by stacks of a sample of all allocations, in the format of its `jeprof`.

/// The heap profile of this process, where jemalloc was built with it and the process started for it.
package enum HeapProfile {
  /// The variable that a process must be started with.
  package static let variable = "MALLOC_CONF"
  /// Its value: ready, but off until ``begin()``; everything allocated is kept count of, not only what is there at the end.
  package static let setting = "prof:true,prof_active:false,prof_accum:true,lg_prof_sample:\(sampleExponent)"
  /// One allocation is sampled for so many bytes allocated, on average.
  package static let sampleBytes = 1 << sampleExponent
  private static let sampleExponent = 14

  /// Why there can be no heap profile with this jemalloc, in one sentence; nil where there can.
  package static var obstacle: String? {
    guard let version = Jemalloc.version else { return "\(InstrumentError.builtWithoutJemalloc)" }
    if JemallocControl.flag("config.prof") == true { return nil }
    return "jemalloc \(version) was built without its profiler (config.prof is false); install one that was configured "
      + "with --enable-prof, as Debian's libjemalloc2 is"
  }

  /// Begins to keep count, from nothing.
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

  /// Ends it, and writes what was counted to a file that `jeprof` reads.
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
