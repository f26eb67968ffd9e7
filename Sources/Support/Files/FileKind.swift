// What the file system reports about a path.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a path can name.
package enum FileKind: String, Sendable, Hashable {
  case plainFile = "a plain file"
  case folder = "a folder"
  case pipe = "a named pipe"
  case socket = "a socket"
  case device = "a device"
  case link = "a symbolic link"
  case other = "something that is not a file"

  /// Reads what is at the path, following links; `nil` if nothing is there or this process may not see it.
  package init?(at path: String) {
    guard let status = FileStatus(path) else { return nil }
    self = status.kind
  }

  /// What is at the path itself, which may be a broken link.
  package init?(atPathItself path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(mode: status.st_mode)
  }

  fileprivate init(mode: mode_t) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .plainFile
      case S_IFDIR: .folder
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      case S_IFCHR, S_IFBLK: .device
      case S_IFLNK: .link
      default: .other
      }
  }
}

/// What the system knows about a file.
package struct FileStatus {
  let kind: FileKind
  package let bytes: Int64
  package let device: UInt64
  package let inode: UInt64
  /// The last modification, in seconds and nanoseconds.
  package let written: [Int]

  /// Follows links; `nil` with `errno` if there is nothing.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The status of an open file; `nil` with `errno` on failure.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    kind = FileKind(mode: status.st_mode)
    bytes = Int64(status.st_size)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    #if canImport(Darwin)
      written = [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
    #else
      written = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    #endif
  }
}
