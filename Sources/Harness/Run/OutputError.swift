// An output folder or file that cannot be written, in the system's own words.
internal import Foundation

/// An output folder or file that cannot be written.
public enum OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  case unwritable(path: String, reason: String)
  case exists(path: String)
  case pathTooLong(path: String, limit: Int)

  public var description: String {
    switch self {
    case .unwritable(let path, let reason): "\(path) cannot be written: \(reason); choose another folder with --out"
    case .exists(let path):
      "\(path) exists already; go on with the run in it with --resume, or choose another folder with --out"
    case .pathTooLong(let path, let limit):
      "\(path) is \(path.utf8.count) bytes long; SQLite needs at most \(limit); choose another folder with --out"
    }
  }

  /// The system's words for what went wrong, without the path.
  public static func reason(_ error: any Error) -> String {
    let error = error as NSError
    if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError, cause.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(Int32(cause.code)))
    }
    return error.domain == NSPOSIXErrorDomain
      ? String(cString: strerror(Int32(error.code))) : error.localizedDescription
  }
}

/// Folders, made by the system's own call: Foundation's on Linux does not always say why it failed.
public enum Folder {
  /// Makes the folder and those above it that are missing.
  public static func make(_ path: String) throws(OutputError) {
    if mkdir(path, 0o777) == 0 || errno == EEXIST && isFolder(path) { return }
    let reason = errno
    let parent = (path as NSString).deletingLastPathComponent
    guard reason == ENOENT, !parent.isEmpty, parent != path else {
      throw .unwritable(path: path, reason: String(cString: strerror(reason)))
    }
    try make(parent)
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw .unwritable(path: path, reason: String(cString: strerror(errno)))
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }
}
