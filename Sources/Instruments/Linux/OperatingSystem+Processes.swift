// Linux's data about another process: its processor time, its resident memory, and interference by others.
internal import BatchmarkEngine
internal import Support
#if os(Linux)
  internal import Glibc

  extension OperatingSystem {
    /// The process in a group that has a file open; `nil` if none has, or if the system does not say.
    static func holder(of file: FileIdentity, inGroupOf leader: Int64) -> Int64? {
      func hasOpen(_ process: Int64) -> Bool {
        let folder = "/proc/\(process)/fd"
        return (SystemFile.names(in: folder) ?? []).contains { FileIdentity(of: "\(folder)/\($0)") == file }
      }
      if hasOpen(leader) { return leader }
      let processes = (SystemFile.names(in: "/proc") ?? []).compactMap { Int64($0) }
      return processes.first { $0 != leader && group(of: $0) == leader && hasOpen($0) }
    }

    /// The third field after the name.
    private static func group(of process: Int64) -> Int64? {
      guard let line = SystemFile.firstLine("/proc/\(process)/stat"), let name = line.lastIndex(of: ")") else {
        return nil
      }
      let fields = line[line.index(after: name)...].split(separator: " ")
      return fields.count > 2 ? Int64(fields[2]) : nil
    }

    /// User and system seconds of a process, of the children that it has waited for, and of those that are still there, with
    /// theirs.
    static func cpuSeconds(of process: Int64) -> Double? {
      guard let own = ownSeconds(of: process) else { return nil }
      return descendants(of: process).reduce(own) { $0 + (ownSeconds(of: $1) ?? 0) }
    }

    /// The processes that a process has started, and those that they have; empty where the system does not say.
    private static func descendants(of process: Int64) -> [Int64] {
      var found = [process]
      var next = 0
      while next < found.count {
        let folder = "/proc/\(found[next])/task"
        next += 1
        for thread in SystemFile.names(in: folder) ?? [] {
          let children = SystemFile.firstLine("\(folder)/\(thread)/children")?.split(separator: " ") ?? []
          // A process that begins while this reads may come twice.
          found += children.compactMap { Int64($0) }.filter { !found.contains($0) }
        }
      }
      return Array(found.dropFirst())
    }

    /// User and system seconds of all its threads, and of the children that it has waited for.
    private static func ownSeconds(of process: Int64) -> Double? {
      var clock = clockid_t()
      var time = timespec()
      guard clock_getcpuclockid(pid_t(clamping: process), &clock) == 0, clock_gettime(clock, &time) == 0 else {
        return nil
      }
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 + (childSeconds(of: process) ?? 0)
    }

    /// The fourteenth number after the name is the user time of its children in clock ticks; the next is their system
    /// time.
    private static func childSeconds(of process: Int64) -> Double? {
      guard let line = SystemFile.firstLine("/proc/\(process)/stat"), let name = line.lastIndex(of: ")") else {
        return nil
      }
      let fields = line[line.index(after: name)...].split(separator: " ")
      let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
      guard fields.count > 14, ticks > 0, let user = Double(fields[13]), let system = Double(fields[14]) else {
        return nil
      }
      return (user + system) / ticks
    }

    static func peakResidentBytes(of process: Int64) -> Int64? {
      guard let status = SystemFile.text("/proc/\(process)/status"),
        let value = SystemFile.value(of: "VmHWM", in: status, separator: ":"),
        let kibibytes = value.split(separator: " ").first.flatMap({ Int64($0) })
      else { return nil }
      return kibibytes * 1024
    }

    static func resetPeakResidentBytes(of process: Int64) -> Bool {
      SystemFile.write("5", to: "/proc/\(process)/clear_refs")
    }

    /// Interference by others with a process.
    ///
    /// System-wide counts are those of this process's interference.
    static func interference(of process: Int64) -> Interference {
      var interference = interference()
      addThreads(of: process, to: &interference)
      // Fields after the name: state, parent, group, session, terminal, its group, flags, minor faults, those of
      // children, major.
      if let line = SystemFile.firstLine("/proc/\(process)/stat"), let name = line.lastIndex(of: ")") {
        let fields = line[line.index(after: name)...].split(separator: " ")
        interference.minorFaults = fields.count > 9 ? Int64(fields[7]) ?? 0 : 0
        interference.majorFaults = fields.count > 9 ? Int64(fields[9]) ?? 0 : 0
      }
      return interference
    }

    /// Adds what the system counts by thread, for all present threads; it does not report threads that have ended.
    private static func addThreads(of process: Int64, to interference: inout Interference) {
      interference.runDelaySeconds = nil
      (interference.voluntarySwitches, interference.involuntarySwitches) = (0, 0)
      let folder = "/proc/\(process)/task"
      for thread in SystemFile.names(in: folder) ?? [] where !thread.hasPrefix(".") {
        if let delay = runDelay(in: "\(folder)/\(thread)") {
          interference.runDelaySeconds = (interference.runDelaySeconds ?? 0) + delay
        }
        let status = SystemFile.text("\(folder)/\(thread)/status") ?? ""
        func count(_ key: String) -> Int64 {
          SystemFile.value(of: key, in: status, separator: ":").flatMap { Int64($0) } ?? 0
        }
        interference.voluntarySwitches += count("voluntary_ctxt_switches")
        interference.involuntarySwitches += count("nonvoluntary_ctxt_switches")
      }
    }
  }
#else
  extension OperatingSystem {
    static func holder(of file: FileIdentity, inGroupOf leader: Int64) -> Int64? { nil }

    static func cpuSeconds(of process: Int64) -> Double? { nil }

    static func peakResidentBytes(of process: Int64) -> Int64? { nil }

    static func resetPeakResidentBytes(of process: Int64) -> Bool { false }

    static func interference(of process: Int64) -> Interference { interference() }
  }
#endif
