// How much room a file system has.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The room that is left where a file lies.
package enum FreeSpace {
  /// The bytes that this process can still write beside a path; nil where the system does not say.
  package static func bytes(at path: String) -> Int64? {
    var space = statvfs()
    guard statvfs(path, &space) == 0 else { return nil }
    return Int64(clamping: UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize)).partialValue)
  }
}
