// The environment of a worker. It is the same for every sample of a pass, whoever runs the harness and from where,
// because even the size of the environment shifts addresses and times.
internal import Support

/// The environment variables of workers.
package struct WorkerEnvironment: Sendable {
  /// The allocation meter's library, preloaded if a job asks for it; `nil` if there is none.
  package var meter: String?
  /// The SQLite library to use instead of the system's; `nil` for the system's.
  package var sqlite: String?
  /// Variables inherited from the harness's environment.
  private var inherited: [String: String]

  /// Variables that a worker may need to start or to be tested: library folders, sanitizers, coverage.
  private static let handedOn = [
    "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LLVM_PROFILE_FILE", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
  ]

  /// Keeps what a worker needs of the environment and drops the rest.
  package init(meter: String?, inheriting environment: [String: String], sqlite: String? = nil) {
    self.meter = meter
    self.sqlite = sqlite
    inherited = environment.filter { WorkerEnvironment.handedOn.contains($0.key) }
  }

  /// `NAME=value` lines in alphabetical order.
  ///
  /// - Parameters:
  ///   - preloadsMeter: Whether the allocation meter is loaded.
  ///   - profilesHeap: Whether jemalloc is started ready to profile the heap.
  ///   - padding: The length of a meaningless variable. The size of the environment moves the stack and so changes
  ///     times (Mytkowicz and others, "Producing wrong data without doing anything obviously wrong", ASPLOS 2009). It
  ///     varies from pair to pair, so that it does not bias a difference.
  /// - Returns: The lines.
  package func variables(preloadsMeter: Bool, profilesHeap: Bool = false, padding: Int = 0) -> [String] {
    var variables = inherited
    // With random hashing, collections would have another size and order in every process.
    variables["SWIFT_DETERMINISTIC_HASHING"] = "1"
    variables["LC_ALL"] = "C"
    variables["TZ"] = "UTC"
    variables["PATH"] = "/usr/bin:/bin"
    if padding > 0 { variables["BATCHMARK_PADDING"] = String(repeating: "x", count: padding) }
    if profilesHeap { variables[ProfileInstrument.heapVariable.name] = ProfileInstrument.heapVariable.value }
    // Preload SQLite before the meter, which binds to the SQLite that is already loaded.
    let libraries = [sqlite, preloadsMeter ? meter : nil].compactMap(\.self)
    if !libraries.isEmpty { variables[PreloadList.variable] = PreloadList.text(libraries) }
    return variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }
}
