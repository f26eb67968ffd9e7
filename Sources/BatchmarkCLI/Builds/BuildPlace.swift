// Where the builds of a repository's commits are kept, and which of them are removed.
internal import Analysis
internal import CoreDataFiles
internal import Foundation
internal import Harness
internal import Support

/// A folder of builds, in which one process works at a time.
struct BuildPlace {
  let path: String
  /// Nil where the builds stay.
  private let temporary: PrivateFolder?

  /// Chooses the folder `batchmark` in a git folder, or a temporary one if that one cannot be written, locked or
  /// preloaded from.
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
      // One below it, since that one is locked already.
      (path, temporary) = (folder.path + "/builds", folder)
      try Folder.make(path)
    } catch {
      throw CommandError(error)
    }
    Console.complain("builds are not kept: \(kept) cannot be used")
  }

  /// Waits until no other process builds here.
  ///
  /// - Returns: The lock, released with its last reference; nil where nothing can be locked.
  func lock() -> FileLock? {
    FileLock.take(path, .alone) { Console.complain("another command builds in \(path); waiting for its end") }
  }

  /// The complete folders whose names begin so, the last used first.
  func folders(_ prefix: String) -> [KeptFolder] {
    all.filter { $0.name.hasPrefix(prefix) && $0.isComplete }.map { ($0, $0.lastUse) }
      .sorted { $0.1 > $1.1 }.map(\.0)
  }

  /// Removes what was never completed.
  ///
  /// Only the holder of the lock may call this.
  func sweep() {
    for folder in all where !folder.isComplete { folder.remove() }
  }

  /// Removes all but the last used folders of each kind, and none that is in use.
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

  /// What begins the name of a folder.
  enum Kind: String, CaseIterable {
    /// The files that one commit after the other is built in.
    case work = "work-"
    /// What a product of a commit needs to run.
    case product = "product-"
    /// All of a commit's files, with what a command made among them.
    case command = "command-"

    /// How many are kept.
    var count: Int {
      switch self {
      case .work: 2
      case .product: 10
      case .command: 4
      }
    }
  }
}
