// The hidden names of unfinished files, and the removal of those that killed processes left behind.
internal import Analysis
internal import Support

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

/// A file that is being written, next to its final path.
package enum HiddenFile {
  /// A hidden path in the same directory, because a rename does not cross file systems.
  ///
  /// It is unique to the process, so that two processes can write into one directory.
  package static func path(for path: String) -> String {
    let path = FilePath(path)
    return path.removingLastComponent().appending("\(stem(of: path))\(getpid()).partial").string
  }

  /// Why no file can be made at a path, tested by making another file next to it and removing it at once; `nil` if one
  /// can.
  package static func obstacle(toMaking path: String) -> String? {
    let folder = FilePath(path).removingLastComponent()
    if let reason = systemFolder(folder.isEmpty ? "." : folder.string) { return reason }
    let hidden = HiddenFile.path(for: path)
    unlink(hidden)
    Leftovers.note(hidden)
    defer { Leftovers.forget(hidden) }
    let descriptor = open(hidden, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    close(descriptor)
    return unlink(hidden) == 0 ? nil : String(cString: strerror(errno))
  }

  /// Why a folder and its parents cannot be made at a path, tested in the nearest existing parent; `nil` if they can.
  package static func obstacle(toMakingFolder path: String) -> String? {
    var folder = FilePath(path).lexicallyNormalized()
    while FileKind(atPathItself: folder.string) == nil, folder.removeLastComponent() {}
    let place = folder.isEmpty ? "." : folder.string
    switch FileKind(at: place) {
    case .folder: return obstacle(toMaking: FilePath(place).appending("batchmark").string)
    case nil: return "\(place) is a symbolic link to nothing"
    case .some: return String(cString: strerror(ENOTDIR))
    }
  }

  /// Folders that belong to the system.
  ///
  /// A file made in the folder of devices disappears at a restart, and may hide a device.
  private static func systemFolder(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    let words = String(cString: resolved).split(separator: "/")
    guard let first = words.first, ["proc", "sys", "dev"].contains(first), words.prefix(2) != ["dev", "shm"] else {
      return nil
    }
    return "/\(first) has the system's own files"
  }

  /// Removes the hidden files for these paths if their processes no longer exist.
  ///
  /// Each folder is read once.
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
      // EPERM means that the process exists and belongs to another user.
      if kill(number, 0) != 0 && errno == ESRCH { unlink(folder.appending(name).string) }
    }
  }

  /// The prefix of the names of all hidden files for a path.
  private static func stem(of path: FilePath) -> String { ".\(FileName.fitting(path.lastComponent?.string ?? ""))." }
}
