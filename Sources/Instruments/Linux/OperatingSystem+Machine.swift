// Facts about the machine from /proc and /sys.
#if os(Linux)
  internal import Glibc

  extension OperatingSystem {
    static func cpuModel() -> String? {
      SystemFile.text("/proc/cpuinfo").flatMap { SystemFile.value(of: "model name", in: $0, separator: ":") }
    }

    static func logicalCPUs() -> Int? {
      let count = sysconf(Int32(_SC_NPROCESSORS_ONLN))
      return count > 0 ? count : nil
    }

    static func memoryBytes() -> Int64? {
      let pages = sysconf(Int32(_SC_PHYS_PAGES))
      let page = sysconf(Int32(_SC_PAGESIZE))
      return pages > 0 && page > 0 ? Int64(pages) * Int64(page) : nil
    }

    static func kernel() -> String? {
      guard let system = SystemFile.firstLine("/proc/sys/kernel/ostype"),
        let release = SystemFile.firstLine("/proc/sys/kernel/osrelease")
      else { return nil }
      return "\(system) \(release) \(architecture)"
    }

    private static var architecture: String {
      #if arch(x86_64)
        "x86_64"
      #elseif arch(arm64)
        "aarch64"
      #else
        "of another architecture"
      #endif
    }

    static func prettyName() -> String? {
      SystemFile.text("/etc/os-release").flatMap { prettyName(in: $0) }
    }

    /// The value may be quoted as in a shell (os-release(5)).
    static func prettyName(in release: String) -> String? {
      SystemFile.value(of: "PRETTY_NAME", in: release, separator: "=").map { value in
        guard let quote = value.first, quote == "\"" || quote == "'", value.count > 1, value.last == quote else {
          return value
        }
        return String(value.dropFirst().dropLast())
      }
    }

    static func transparentHugePages() -> String? {
      SystemFile.firstLine("/sys/kernel/mm/transparent_hugepage/enabled").flatMap(chosen)
    }

    /// The word in brackets in a line such as `always [madvise] never`.
    static func chosen(of line: String) -> String? {
      line.split(separator: " ").first { $0.hasPrefix("[") && $0.hasSuffix("]") }
        .map { String($0.dropFirst().dropLast()) }
    }

    static func cpuGovernor() -> String? {
      SystemFile.firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    }

    static func clockSource() -> String? {
      SystemFile.firstLine("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    }

    static func loadAverage() -> Double? {
      SystemFile.firstLine("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) }
    }
  }
#endif
