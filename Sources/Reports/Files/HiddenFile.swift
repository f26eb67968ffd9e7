// The hidden names that files have until they are finished, and what killed processes left under them.
internal import Harness
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

/// A file that is being written, beside the place where it will be.
package enum HiddenFile {
  /// Hidden, in the same directory (a rename does not cross file systems), and one's own: two processes that write
  /// into one directory do not meet.
  package static func path(for path: String) -> String {
    let path = FilePath(path)
    return path.removingLastComponent().appending("\(stem(of: path))\(getpid()).partial").string
  }

  /// Removes the hidden files for these paths whose process is not there any more; each folder is read once.
  package static func sweep(beside paths: [String]) {
    for (folder, paths) in Dictionary(grouping: paths.map { FilePath($0) }, by: { $0.removingLastComponent() }) {
      sweep(Set(paths.map(stem(of:))), in: folder)
    }
  }

  private static func sweep(_ stems: Set<String>, in folder: FilePath) {
    let suffix = ".partial"
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder.string)
    for name in names ?? [] where name.hasPrefix(".") && name.hasSuffix(suffix) {
      // `.report.md.123.partial`
      let words = name.dropLast(suffix.count)
      guard let dot = words.lastIndex(of: "."), stems.contains(String(words[...dot])),
        let number = pid_t(words[words.index(after: dot)...]), number > 0
      else { continue }
      // Another user's process is there and may not be asked.
      if kill(number, 0) != 0 && errno == ESRCH { unlink(folder.appending(name).string) }
    }
  }

  /// What the names of all hidden files for a path begin with.
  private static func stem(of path: FilePath) -> String { ".\(FileName.fitting(path.lastComponent?.string ?? ""))." }
}
