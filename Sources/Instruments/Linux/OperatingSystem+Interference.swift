// Interference and processors on Linux.
internal import Support
#if os(Linux)
  internal import Glibc
  internal import SQLiteDriver

  extension OperatingSystem {
    static func interference() -> Interference {
      var usage = rusage()
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return Interference(
        runDelaySeconds: runDelay(), voluntarySwitches: Int64(usage.ru_nvcsw),
        involuntarySwitches: Int64(usage.ru_nivcsw), majorFaults: Int64(usage.ru_majflt),
        minorFaults: Int64(usage.ru_minflt), stolenSeconds: stolen(),
        processorPressureSeconds: pressure("cpu"), devicePressureSeconds: pressure("io"))
    }

    /// How often the calling thread gave up the processor to wait; safe in a signal handler.
    static func threadSwitches() -> Int {
      var usage = rusage()
      // RUSAGE_THREAD of getrusage(2), which the module map does not declare.
      getrusage(__rusage_who_t(1), &usage)
      return usage.ru_nvcsw
    }

    private static func runDelay() -> Double? { runDelay(in: "/proc/self") }

    /// One thread's "time on a processor, time waiting for one, in nanoseconds, slices"; in a process's own folder, the
    /// first thread's.
    static func runDelay(in folder: String) -> Double? {
      guard let line = SystemFile.firstLine("\(folder)/schedstat") else { return nil }
      let fields = line.split(separator: " ")
      guard fields.count >= 2, let nanoseconds = Double(fields[1]) else { return nil }
      return nanoseconds / 1e9
    }

    /// The eighth number after `cpu` is steal, in clock ticks.
    private static func stolen() -> Double? {
      guard let line = SystemFile.firstLine("/proc/stat") else { return nil }
      let fields = line.split(separator: " ")
      let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
      guard fields.first == "cpu", fields.count > 8, let stolen = Double(fields[8]), ticks > 0 else { return nil }
      return stolen / ticks
    }

    /// Parses "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345"; the total is in microseconds.
    private static func pressure(_ resource: String) -> Double? {
      guard let line = SystemFile.firstLine("/proc/pressure/\(resource)"),
        let total = line.split(separator: " ").last.flatMap({ Double($0.dropFirst("total=".count)) })
      else { return nil }
      return total / 1e6
    }

    static func allowedProcessors() -> [Int] { ThreadProcessors.allowed() }

    static func stay(on processors: [Int]) -> Bool {
      guard let names = SystemFile.names(in: "/proc/self/task") else { return false }
      // Set it for all current threads, because the kernel treats each as a separate task. Later threads inherit it.
      var isDone = true
      for name in names {
        // Ignore a thread that has ended since it was listed.
        if let task = pid_t(name), !ThreadProcessors.stay(on: processors, thread: task), errno != ESRCH {
          isDone = false
        }
      }
      return isDone
    }

    /// Soft interrupts since the system started, by processor.
    static func softInterrupts() -> [Int: Int64]? {
      guard let lines = SystemFile.text("/proc/softirqs")?.split(separator: "\n"), let heading = lines.first else {
        return nil
      }
      let processors = heading.split(separator: " ").compactMap { Int($0.dropFirst("CPU".count)) }
      var counts: [Int: Int64] = [:]
      for line in lines.dropFirst() {
        for (processor, count) in zip(processors, line.split(separator: " ").dropFirst()) {
          counts[processor, default: 0] += Int64(count) ?? 0
        }
      }
      return counts.isEmpty ? nil : counts
    }
  }
#endif
