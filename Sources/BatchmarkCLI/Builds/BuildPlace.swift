// The folder with the builds of a repository's commits, and the removal of old ones.
internal import Analysis
internal import CoreDataFiles
internal import Foundation
internal import Harness
internal import Support

/// A folder of builds that one process at a time uses.
struct BuildPlace {
  let path: String
  /// `nil` if the builds are kept.
  private let temporary: PrivateFolder?

  /// Chooses the folder `batchmark` in a git folder, or a temporary one if that folder cannot be written or locked, or
  /// libraries cannot be preloaded from it.
  ///
  /// - Throws: ``CommandError`` if no folder is possible.
  init(in gitFolder: String) throws(CommandError) {
    let kept = gitFolder + "/batchmark"
    if PreloadList.takes(kept), (try? Folder.make(kept)) != nil, access(kept, W_OK) == 0,
      FileLock.works(on: kept)
    {
      (path, temporary) = (kept, nil)
      return
    }
    do {
      let folder = try PrivateFolder()
      // Use a subfolder, because the folder itself is locked already.
      (path, temporary) = (folder.path + "/builds", folder)
      try Folder.make(path)
    } catch {
      throw CommandError(error)
    }
    Console.complain("builds are not kept: \(kept) cannot be used")
  }

  /// Waits until no other process builds here.
  ///
  /// - Returns: The lock, released with its last reference; `nil` if locking is not supported.
  func lock() -> FileLock? {
    FileLock.take(path, .alone) { Console.complain("another command builds in \(path); waiting for its end") }
  }

  /// The complete folders with this prefix, the most recently used first.
  func folders(_ prefix: String) -> [KeptFolder] {
    all.filter { $0.name.hasPrefix(prefix) && $0.isComplete }.map { ($0, $0.lastUse) }
      .sorted { $0.1 > $1.1 }.map(\.0)
  }

  /// Removes incomplete folders.
  ///
  /// Only the holder of the lock may call this.
  func sweep() {
    for folder in all where !folder.isComplete { folder.remove() }
  }

  /// Removes all but the most recently used folders of each kind, except those in use.
  func prune() {
    for kind in Kind.allCases {
      for folder in folders(kind.rawValue).dropFirst(kind.count) { folder.remove() }
    }
  }

  private var all: [KeptFolder] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { name in Kind.allCases.contains { name.hasPrefix($0.rawValue) } }
      .map { KeptFolder(at: path + "/" + $0) }
  }

  /// The prefixes of folder names.
  enum Kind: String, CaseIterable {
    /// The files in which one commit after another is built.
    case work = "work-"
    /// The files that a product of a commit needs to run.
    case product = "product-"
    /// All files of a commit, with those that a build command made.
    case command = "command-"

    /// The number of folders to keep.
    var count: Int {
      switch self {
      case .work: 2
      case .product: 10
      case .command: 4
      }
    }
  }
}
