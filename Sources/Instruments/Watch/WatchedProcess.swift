// The system's data about a watched process: its memory, and whether it contains its own SQLite.
internal import Foundation

/// A process of another program.
package struct WatchedProcess: Sendable, Hashable {
  package let number: Int64

  package init(_ number: Int64) { self.number = number }

  /// The bytes resident now; `nil` if the system does not report them, for example after its end.
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

  /// Whether it still runs this executable; another process may have its ID by now.
  package func isRunning(_ executable: String) -> Bool {
    guard !executable.isEmpty,
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe")
    else { return false }
    // For a replaced file, the system appends a note to the path.
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

  /// Whether a program or library contains SQLite, recognized by the magic string of SQLite's files.
  package static func hasSQLite(inFile path: String) -> Bool {
    guard let data = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped) else { return false }
    return data.range(of: Data("SQLite format 3\0".utf8)) != nil
  }
}
