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

  /// Remembers a file that is about to be made; it is removed when the process ends early.
  package static func note(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// Makes a folder and remembers it, in one step; it is removed with all in it when the process ends early.
  ///
  /// - Parameter make: Gives the folder's path, or nil when there is none.
  /// - Returns: The same.
  static func note(_ make: () -> String?) -> String? {
    paths.withLock { paths in
      let path = make()
      if let path { paths.insert(path) }
      return path
    }
  }

  /// Forgets one that is gone, or that is finished and stays.
  package static func forget(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes everything noted, since the process ends now; no other folder is made until then.
  ///
  /// Under another name, since other threads still run: they can no longer create anything under the old one.
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
