// The system's error numbers as a typed error.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An error number of the system.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One of the constants of `<errno.h>`.
  package let number: Int32

  package init(_ number: Int32) { self.number = number }

  /// The error of the last system call that failed on this thread.
  static var last: SystemError { SystemError(errno) }

  /// The system's message: `No such file or directory`.
  package var description: String { String(cString: strerror(number)) }
}
