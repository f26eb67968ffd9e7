// The pages of a file in the system's page cache, and how to drop them.
#if os(Linux)
  internal import Glibc
#endif

/// A file's pages in the system's page cache.
package enum FilePageCache {
  /// Flushes the file, drops its pages from the cache, and counts those that remain.
  ///
  /// A file system that is not on a disk may keep all of them. Pages that a process has mapped remain.
  ///
  /// - Returns: How many of the file's pages are in memory, and how many it has.
  /// - Throws: ``SystemError`` if the file cannot be read, and on systems other than Linux.
  package static func drop(_ path: String) throws(SystemError) -> (pages: Int, allPages: Int) {
    #if os(Linux)
      let descriptor = open(path, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemError.last }
      defer { _ = close(descriptor) }
      guard fdatasync(descriptor) == 0 else { throw SystemError.last }
      let result = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      guard result == 0 else { throw SystemError(result) }
      let bytes = Int(lseek(descriptor, 0, SEEK_END))
      guard bytes > 0 else { return (0, 0) }
      guard let map = mmap(nil, bytes, PROT_READ, MAP_SHARED, descriptor, 0), map != MAP_FAILED else {
        throw SystemError.last
      }
      defer { munmap(map, bytes) }
      let pageSize = Int(getpagesize())
      var states = [UInt8](repeating: 0, count: (bytes + pageSize - 1) / pageSize)
      guard mincore(map, bytes, &states) == 0 else { throw SystemError.last }
      return (states.count { $0 & 1 != 0 }, states.count)
    #else
      throw SystemError(45)
    #endif
  }
}
