// The cases by name, and how they are measured.
#if os(Linux)
  internal import Glibc
  internal import Instruments

  enum ProbeCase: String, CaseIterable {
    // Facts about the process itself, run with and without the meter.
    case state
    // Known answers of the meter.
    case held, heldOdd, untouched, zeroed, growth, aligned, forms, contract, operators, reverse, reset, agreement
    case crossThread, crossThreadGrowth, contention, heldByAll
    case array, objects, workload
    // Ownership of allocations.
    case marked, sqlite, lateMark
    // The sampler together with the meter.
    case sampler, heapTimeline
    // Figures that need a separate process.
    case residentPeak, statistics, stacks, heapProfile, heapPeak
    // The SQLite meter and the kernel's counters, without the allocation meter.
    case kernelLog, kernelJournal, kernelTemporary
    // The instruments of the counters pass, without the allocation meter.
    case idleCounters, busyCounters, unknownDirectories

    typealias Figure = (name: String, value: Int)

    func figures() throws -> [Figure] {
      switch self {
      case .state: state()
      case .held: held(bytes: 64 << 20)
      case .heldOdd: held(bytes: 64 << 20 | 12_345)
      case .untouched: untouched()
      case .zeroed: zeroed()
      case .growth: growth()
      case .aligned: aligned()
      case .forms: forms()
      case .contract: contract()
      case .operators: operators()
      case .reverse: reverse()
      case .reset: reset()
      case .agreement: agreement()
      case .crossThread: crossThread()
      case .crossThreadGrowth: crossThreadGrowth()
      case .contention: contention()
      case .heldByAll: heldByAll()
      case .array: array()
      case .objects: objects()
      case .workload: workload()
      case .marked: marked()
      case .sqlite: try sqlite()
      case .lateMark: lateMark()
      case .sampler: try sampler()
      case .heapTimeline: try heapTimeline()
      case .residentPeak: residentPeak()
      case .statistics: statistics()
      case .stacks: try stacks()
      case .heapProfile: try heapProfile()
      case .heapPeak: try heapPeak()
      case .kernelLog: try kernelLog()
      case .kernelJournal: try kernelJournal()
      case .kernelTemporary: try kernelTemporary()
      case .idleCounters: try idleCounters()
      case .busyCounters: try busyCounters()
      case .unknownDirectories: try unknownDirectories()
      }
    }

    private func state() -> [Figure] {
      var isAllocator = 0
      if case .success = Result(catching: Jemalloc.verifyIsAllocator) { isAllocator = 1 }
      let block = libc.malloc(1 << 20)
      return [
        ("meterLoaded", AllocationMeter.loaded == nil ? 0 : 1),
        ("meterMapped", AllocationMeter.isInMemoryMap ? 1 : 0),
        ("jemallocIsAllocator", isAllocator),
        ("addressesFixed", AddressRandomization.isOff ? 1 : 0),
        ("blockAddress", Int(bitPattern: block)),
        ("process", Int(getpid())),
        ("arguments", CommandLine.arguments.count),
      ]
    }
  }

  /// Ends the process with a message on standard error.
  func fail(_ message: String, status: Int32) -> Never {
    var line = message + "\n"
    _ = line.withUTF8 { write(2, $0.baseAddress, $0.count) }
    exit(status)
  }

  /// The effect of a piece of work on the meter.
  struct Change {
    /// Above the live bytes at the start.
    var peak: Int
    /// Live bytes that it left behind.
    var left: Int
    var allocations: Int
    var bytes: Int

    /// Does the work twice and measures the second time, because the first includes what Swift sets up on first use.
    init(_ work: () -> Void) {
      work()
      guard let meter = AllocationMeter.loaded else { fail("the allocation meter is not preloaded", status: 70) }
      meter.resetPeak()
      let before = meter.figures()
      work()
      let after = meter.figures()
      peak = Int(after.peakBytes - before.liveBytes)
      left = Int(after.liveBytes - before.liveBytes)
      allocations = Int(after.allocations - before.allocations)
      bytes = Int(after.allocatedBytes - before.allocatedBytes)
    }

    var figures: [ProbeCase.Figure] {
      [("peak", peak), ("left", left), ("allocations", allocations), ("bytes", bytes)]
    }
  }
#endif
