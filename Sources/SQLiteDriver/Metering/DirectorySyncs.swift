// Syncs of directories, which SQLite's unix VFS makes within other calls, where a VFS above it cannot see them.
internal import CSQLite
internal import Synchronization

/// Counts the directories that the unix VFS opens, each of which it opens to sync it once, and closes.
///
/// There are two places (`os_unix.c`): the first sync of a journal, a super-journal or a write-ahead log after it was
/// opened to be made if need be, and a deletion that must last. In journal mode `truncate` a journal is opened anew for
/// each transaction, so that there is a directory's sync in each, as in mode `delete`. SQLite lets the system calls of
/// that VFS be replaced, `openDirectory` among them; ours hands the call on and counts those that succeeded.
enum DirectorySyncs {
  private typealias OpenDirectory = @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<Int32>?) -> Int32

  // Safe by proof: written once, in attaching the meter and before the hook that reads it is in place.
  nonisolated(unsafe) private static var original: OpenDirectory?

  /// Puts the hook into a VFS; answers whether it has that system call, without which nothing is known of directories.
  static func count(in vfs: UnsafeMutablePointer<sqlite3_vfs>) -> Bool {
    let name = "openDirectory"
    guard vfs.pointee.iVersion >= 3, let find = vfs.pointee.xGetSystemCall, let replace = vfs.pointee.xSetSystemCall,
      let call = find(vfs, name)
    else { return false }
    original = unsafeBitCast(call, to: OpenDirectory.self)
    let hook: OpenDirectory = { path, descriptor in
      guard let original = DirectorySyncs.original else { return SQLITE_CANTOPEN }
      let code = original(path, descriptor)
      if let path, code == SQLITE_OK {
        let path = String(cString: path)
        meterState.withLock { $0.countDirectorySync(for: path) }
      }
      return code
    }
    return replace(vfs, name, unsafeBitCast(hook, to: sqlite3_syscall_ptr.self)) == SQLITE_OK
  }
}
