// The resident set and the memory map of this process, on Linux.
#if os(Linux)
  internal import Glibc

  extension OperatingSystem {
    static func peakResidentBytes() -> Int64? {
      // "VmHWM:     1234 kB"; the kernel's kB are 1,024 bytes.
      guard let status = SystemFile.text("/proc/self/status"),
        let value = SystemFile.value(of: "VmHWM", in: status, separator: ":"),
        let kilobytes = value.split(separator: " ").first.flatMap({ Int64($0) })
      else { return nil }
      return kilobytes * 1024
    }

    static func resetPeakResidentBytes() -> Bool { SystemFile.write("5", to: "/proc/self/clear_refs") }

    static func residentBytesResolution() -> Int64? {
      let cpus = sysconf(Int32(_SC_NPROCESSORS_ONLN))
      let page = sysconf(Int32(_SC_PAGESIZE))
      guard cpus > 0, page > 0 else { return nil }
      return Int64(max(32, 2 * cpus) * cpus * page)
    }

    /// Whether a file with this name is mapped into this process; `nil` if the map cannot be read.
    static func mapsFile(named name: String) -> Bool? {
      guard let map = SystemFile.text("/proc/self/maps") else { return nil }
      return map.split(separator: "\n").contains { $0.hasSuffix("/" + name) }
    }

    /// The file mapped at an address of this process; `nil` if there is none, or the map cannot be read.
    static func mappedFile(at address: UInt) -> String? {
      for line in SystemFile.text("/proc/self/maps")?.split(separator: "\n") ?? [] {
        // "7f00-7f10 r-xp 00000000 08:01 1234   /usr/lib/libsqlite3.so.0.8.6"
        let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        let ends = words.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
        guard ends.count == 2, (ends[0]..<ends[1]).contains(address) else { continue }
        return words.count == 6 ? words[5].trimmingPrefix { $0 == " " }.description : nil
      }
      return nil
    }

    static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// Reads the resident set repeatedly without allocating.
    final class ResidentSetReader: Sendable {
      private let file: Int32
      private let pageSize: Int64

      init() {
        file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        pageSize = Int64(sysconf(Int32(_SC_PAGESIZE)))
      }

      deinit { if file >= 0 { close(file) } }

      /// The bytes resident now; `nil` if the kernel does not report them.
      func bytes() -> Int64? {
        guard file >= 0 else { return nil }
        // Seven numbers of at most 20 digits: "size resident shared text lib data dt".
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 160) { line in
          guard let start = line.baseAddress else { return nil }
          let count = pread(file, start, 160, 0)
          guard let pages = ResidentSetReader.secondNumber(start, count) else { return nil }
          return pages * pageSize
        }
      }

      // Use a bare pointer: in a build without optimization, generic methods of collections allocate.
      private static func secondNumber(_ line: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int64? {
        var index = 0
        while index < count, line[index] != UInt8(ascii: " ") { index += 1 }
        index += 1
        let first = index
        var number: Int64 = 0
        while index < count {
          let digit = line[index] &- UInt8(ascii: "0")
          if digit > 9 { break }
          number = number &* 10 &+ Int64(digit)
          index += 1
        }
        return index > first ? number : nil
      }
    }
  }
#endif
