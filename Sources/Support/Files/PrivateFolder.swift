// Temporary folders, the one owner of all temporary files. A folder is locked while its process lives, which
// distinguishes it from the leftovers of killed processes. The next process removes those.
internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A folder that only this user can read, removed with its owner.
package final class PrivateFolder: Sendable {
  /// Absolute if the parent folder was given as an absolute path.
  package let path: String
  /// Holds the lock on the folder; the system releases it however the process ends.
  private let lock: Int32

  /// The prefix of all folder names, in every program.
  private static let prefix = "objectgraph-private-"

  private static let chosenPlace = Lock<String?>(nil)

  /// The folder for temporary files: the chosen one, else `TMPDIR`, else the system's.
  package static var temporaryFiles: String {
    if let chosen = chosenPlace.withLock({ $0 }) { return chosen }
    // Treat an empty value as unset; Foundation would use the root folder.
    if let variable = getenv("TMPDIR"), variable.pointee == 0 { return "/tmp" }
    return FileManager.default.temporaryDirectory.path
  }

  /// Makes this the default parent of all later folders.
  package static func choosePlace(_ folder: String) { chosenPlace.withLock { $0 = folder } }

  /// Creates an empty folder, after sweeping what ended processes left beside it.
  ///
  /// - Parameter place: An existing folder; by default the one for temporary files.
  /// - Throws: ``PrivateFolderError``.
  package init(in place: String = PrivateFolder.temporaryFiles) throws(PrivateFolderError) {
    PrivateFolder.sweep(place)
    let separator = place.hasSuffix("/") ? "" : "/"
    // Try again: before it is locked, another process may mistake the new folder for a leftover and remove it.
    for _ in 1...100 {
      var template = Array("\(place)\(separator)\(PrivateFolder.prefix)XXXXXX".utf8CString)
      let made = Leftovers.note {
        guard mkdtemp(&template) != nil else { return nil }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
      guard let path = made else { throw PrivateFolderError(place, errno) }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      let error = errno
      if descriptor >= 0 {
        // On a file system without locks, other processes cannot lock it either, so they do not sweep it.
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK, FileKind(atPathItself: path) == .folder {
          (self.path, lock) = (path, descriptor)
          return
        }
        close(descriptor)
      }
      rmdir(path)
      Leftovers.forget(path)
      if descriptor < 0 && error != ENOENT { throw PrivateFolderError(place, error) }
    }
    throw PrivateFolderError(place, EBUSY)
  }

  deinit {
    // Remove it while it is locked, so that no other process sweeps it.
    PrivateFolder.remove(path)
    Leftovers.forget(path)
    close(lock)
  }

  /// Removes a folder and everything in it.
  package static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// Removes the folders that ended processes of this user left in a folder.
  package static func sweep(_ place: String = PrivateFolder.temporaryFiles) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] where name.hasPrefix(prefix) {
      let path = place + "/" + name
      var status = stat()
      // Skip links, and folders of other users.
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { continue }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      // The lock is taken while the process lives. Without locks nothing is known about it.
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
      remove(path)
    }
  }
}

/// Why no folder for temporary files can be made.
package struct PrivateFolderError: Error, Sendable, Hashable, CustomStringConvertible {
  package let place: String
  /// The system's message.
  package let reason: String

  init(_ place: String, _ errorNumber: Int32) {
    self.place = place
    reason = String(cString: strerror(errorNumber))
  }

  package var description: String {
    "no folder for temporary files can be made in \(place): \(reason); name a folder that can be written with TMPDIR"
  }
}
