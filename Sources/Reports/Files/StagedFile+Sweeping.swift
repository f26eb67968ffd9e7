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
  /// Removes the temporary files for this path whose process is not there any more.
  static func sweep(beside path: String) {
    let path = FilePath(path)
    let folder = path.removingLastComponent()
    let (prefix, suffix) = (".\(path.lastComponent?.string ?? "").", ".partial")
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder.string)
    for name in names ?? [] where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      guard let number = pid_t(name.dropFirst(prefix.count).dropLast(suffix.count)), number > 0 else { continue }
      // Another user's process is there and may not be asked.
      if kill(number, 0) != 0 && errno == ESRCH { unlink(folder.appending(name).string) }
    }
  }
}
