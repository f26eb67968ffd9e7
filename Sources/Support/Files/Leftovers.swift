// Files and folders to remove when the process ends.
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

/// Everything that this process must remove if it ends early.
package enum Leftovers {
  private static let paths = Lock<Set<String>>([])

  /// Records a file that is about to be created, so that it is removed if the process ends early.
  package static func note(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// Creates a folder and records it in one step, so that it and its content are removed if the process ends early.
  ///
  /// - Parameter make: Returns the folder's path, or `nil` if it created none.
  /// - Returns: What `make` returned.
  static func note(_ make: () -> String?) -> String? {
    paths.withLock { paths in
      let path = make()
      if let path { paths.insert(path) }
      return path
    }
  }

  /// Forgets a path that was removed, or that is complete and should stay.
  package static func forget(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes everything recorded and then ends the process; no folder can be created in between.
  ///
  /// Each item is renamed first, because other threads still run: they can no longer create files under the old name.
  package static func removeAndEnd(_ end: () -> Never) -> Never {
    paths.withLock { paths -> Never in
      for path in paths {
        let ended = path + ".ended"
        let isMoved = rename(path, ended) == 0
        try? FileManager.default.removeItem(atPath: isMoved ? ended : path)
      }
      end()
    }
  }
}
