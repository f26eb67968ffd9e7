// Folders for what is needed for a moment: the one owner of all temporary files. Each is locked for as long as its process
// lives, so that what a killed process left can be distinguished from what is in use, and is swept by the next one.
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
  /// Absolute where its place was.
  package let path: String
  /// Holds the lock on the folder; the system gives it up however the process ends.
  private let lock: Int32

  /// What all of their names begin with, in every program.
  private static let prefix = "objectgraph-private-"

  private static let chosenPlace = Lock<String?>(nil)

  /// The folder of temporary files: the one that was chosen, `TMPDIR`, or the system's.
  package static var temporaryFiles: String {
    if let chosen = chosenPlace.withLock({ $0 }) { return chosen }
    // An empty value counts as not set; Foundation would take the root folder.
    if let variable = getenv("TMPDIR"), variable.pointee == 0 { return "/tmp" }
    return FileManager.default.temporaryDirectory.path
  }

  /// Makes this the folder for all later ones that name no other.
  package static func choosePlace(_ folder: String) { chosenPlace.withLock { $0 = folder } }

  /// Makes an empty folder, after sweeping what ended processes left beside it.
  ///
  /// - Parameter place: An existing folder; the one for temporary files without it.
  /// - Throws: ``PrivateFolderError``.
  package init(in place: String = PrivateFolder.temporaryFiles) throws(PrivateFolderError) {
    PrivateFolder.sweep(place)
    let separator = place.hasSuffix("/") ? "" : "/"
    // Between its making and its lock a folder may be taken for one that was left, and be gone.
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
        // On a file system without locks, sweepers have no locks either.
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
    // While it is locked, so that no other process sweeps it.
    PrivateFolder.remove(path)
    Leftovers.forget(path)
    close(lock)
  }

  /// Removes a folder with all that is in it.
  package static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// Removes the folders that ended processes of this user left in a place.
  package static func sweep(_ place: String = PrivateFolder.temporaryFiles) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] where name.hasPrefix(prefix) {
      let path = place + "/" + name
      var status = stat()
      // Nobody else's, and no link to somewhere else.
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { continue }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      // Its process lives; or there are no locks, and it is not known.
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
      remove(path)
    }
  }
}

/// Why no folder for temporary files can be made.
package struct PrivateFolderError: Error, Sendable, Hashable, CustomStringConvertible {
  package let place: String
  /// The system's words.
  package let reason: String

  init(_ place: String, _ errorNumber: Int32) {
    self.place = place
    reason = String(cString: strerror(errorNumber))
  }

  package var description: String {
    "no folder for temporary files can be made in \(place): \(reason); name a folder that can be written with TMPDIR"
  }
}
