// How large a file is.
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Sizes of files.
package enum FileSize {
  /// The file's length in bytes; nil when there is none at the path.
  package static func bytes(of path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }
}
