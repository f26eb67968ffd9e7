// The free space of a file system.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The free space of the file system of a path.
package enum FreeSpace {
  /// The bytes that this process can still write there; `nil` if the system does not report them.
  package static func bytes(at path: String) -> Int64? {
    var space = statvfs()
    guard statvfs(path, &space) == 0 else { return nil }
    return Int64(clamping: UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize)).partialValue)
  }
}
