// An output folder or file that cannot be written, with the system's message.
internal import Foundation
package import SystemPackage

/// An output folder or file that cannot be written.
package enum OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  case unwritable(path: String, reason: String)
  /// The same, in a run that has begun and can be resumed.
  case unwritableInRun(path: String, reason: String)
  /// A file, not a folder, that the user named.
  case unwritableFile(path: String, reason: String)
  /// The folder exists; `hasRun` if it contains a run that can be resumed.
  case exists(path: String, hasRun: Bool)
  case pathTooLong(path: String, limit: Int)

  package var description: String {
    switch self {
    case .unwritable(let path, let reason): "\(path) cannot be written: \(reason); choose another folder with --out"
    case .unwritableInRun(let path, let reason):
      "\(path) cannot be written: \(reason); what was measured is kept: fix this, and continue with --resume"
    case .unwritableFile(let path, let reason):
      "\(path.isEmpty ? "''" : path) cannot be written: \(reason); name another file"
    case .exists(let path, true):
      "\(path) exists already; continue the run in it with --resume, or choose another folder with --out"
    case .exists(let path, false): "\(path) exists already; choose another folder with --out"
    case .pathTooLong(let path, let limit):
      "\(path) is \(path.utf8.count) bytes long; SQLite needs at most \(limit); choose another folder with --out"
    }
  }

  /// Runs the body, which writes to the output of a run that has begun.
  ///
  /// - Throws: Its error, with the advice to resume the run.
  static func inRun<Result>(_ body: () throws(OutputError) -> Result) throws(OutputError) -> Result {
    do {
      return try body()
    } catch {
      guard case .unwritable(let path, let reason) = error else { throw error }
      throw .unwritableInRun(path: path, reason: reason)
    }
  }

  /// The system's message, without the path.
  package static func reason(_ error: any Error) -> String {
    let error = error as NSError
    if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError, cause.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(Int32(cause.code)))
    }
    return error.domain == NSPOSIXErrorDomain
      ? String(cString: strerror(Int32(error.code))) : error.localizedDescription
  }
}

/// Makes folders with the system call itself: Foundation on Linux does not always say why it failed.
package enum Folder {
  /// Makes the folder and its missing parents.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - withParents: False if the parent existed before: if it is missing now, it was removed on purpose.
  /// - Throws: ``OutputError``.
  package static func make(_ path: String, withParents: Bool = true) throws(OutputError) {
    do {
      try create(FilePath(path), withParents: withParents)
    } catch {
      throw .unwritable(path: path, reason: error.description)
    }
  }

  /// The same, but throws the system's error.
  package static func create(_ path: FilePath, withParents: Bool = true) throws(Errno) {
    if mkdir(path.string, 0o777) == 0 { return }
    var error = Errno(rawValue: errno)
    let parent = path.removingLastComponent()
    if withParents, error == .noSuchFileOrDirectory, !parent.isEmpty, parent != path {
      try create(parent)
      if mkdir(path.string, 0o777) == 0 { return }
      error = Errno(rawValue: errno)
    }
    // Darwin reports EISDIR for the root directory.
    guard [.fileExists, .isDirectory].contains(error) else { throw error }
    guard (try? path.stat())?.type == .directory else { throw .notDirectory }
  }
}
