// What killed processes left beside a file that they were about to write.
internal import SystemPackage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension StagedFile {
  /// Removes the temporary files for these paths whose process is not there any more; each folder is read once.
  static func sweep(beside paths: [String]) {
    let names = Dictionary(grouping: paths.map { FilePath($0) }) { $0.removingLastComponent() }
    for (folder, paths) in names { sweep(Set(paths.compactMap(\.lastComponent?.string)), in: folder) }
  }

  private static func sweep(_ files: Set<String>, in folder: FilePath) {
    let suffix = ".partial"
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder.string)
    for name in names ?? [] where name.hasPrefix(".") && name.hasSuffix(suffix) {
      // `.report.md.123.partial`
      let words = name.dropFirst().dropLast(suffix.count)
      guard let dot = words.lastIndex(of: "."), files.contains(String(words[..<dot])),
        let number = pid_t(words[words.index(after: dot)...]), number > 0
      else { continue }
      // Another user's process is there and may not be asked.
      if kill(number, 0) != 0 && errno == ESRCH { unlink(folder.appending(name).string) }
    }
  }
}
