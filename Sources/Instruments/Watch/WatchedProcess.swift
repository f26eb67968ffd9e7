// The system's data on a watched process: its memory, and whether it has a SQLite of its own.
internal import Foundation

/// A process of another program.
package struct WatchedProcess: Sendable, Hashable {
  package let number: Int64

  package init(_ number: Int64) { self.number = number }

  /// Bytes resident now; nil where the system does not report it, as of a process that has ended.
  package var residentBytes: Int64? {
    #if os(Linux)
      guard let text = SystemFile.text("/proc/\(number)/status"),
        let value = SystemFile.value(of: "VmRSS", in: text, separator: ":"),
        let kibibytes = value.split(separator: " ").first.flatMap({ Int64($0) })
      else { return nil }
      return kibibytes.multipliedReportingOverflow(by: 1024).partialValue
    #else
      return nil
    #endif
  }

  /// Whether it runs, and is still of the executable; a number may be another process's by now.
  package func isRunning(_ executable: String) -> Bool {
    guard !executable.isEmpty,
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe")
    else { return false }
    // Of a file that was replaced, the system says so behind the path.
    return path.hasPrefix(executable)
  }

  /// The files that are mapped as code: the program and its libraries.
  package var mappedFiles: [String] {
    #if os(Linux)
      guard let text = SystemFile.text("/proc/\(number)/maps") else { return [] }
      let paths = text.split(separator: "\n").compactMap { line -> String? in
        let parts = line.split(separator: " ", maxSplits: 5)
        guard parts.count == 6, parts[1].contains("x"), parts[5].hasPrefix("/") else { return nil }
        return String(parts[5])
      }
      var seen: Set<String> = []
      return paths.filter { seen.insert($0).inserted }
    #else
      return []
    #endif
  }

  /// Whether a program or a library contains SQLite: it then has the magic string of SQLite's files.
  package static func hasSQLite(inFile path: String) -> Bool {
    guard let data = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped) else { return false }
    return data.range(of: Data("SQLite format 3\0".utf8)) != nil
  }
}
