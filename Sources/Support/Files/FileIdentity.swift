// Identifies the file at a path: another path, a link or a second name of the same file gives the same identity.

/// Identifies an existing file by its device and inode, or a missing one by its folder and name.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  /// The name in the folder that `device` and `inode` identify; `nil` for a file that exists.
  private let missingName: String?

  /// Follows links; `nil` if the folder does not exist either.
  package init?(of path: String) {
    if let status = FileStatus(path) {
      self.init(status, missingName: nil)
      return
    }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard let status = FileStatus(FileIdentity.folder(of: path)) else { return nil }
    self.init(status, missingName: name)
  }

  private init(_ status: FileStatus, missingName: String?) {
    (device, inode) = (status.device, status.inode)
    self.missingName = missingName
  }

  /// The folders that contain a path, from the innermost to the root; O(depth).
  package static func folders(above path: String) -> [FileIdentity] {
    var folders: [FileIdentity] = []
    var folder = FileIdentity.folder(of: path)
    // Append `..` instead of shortening the path: the path may contain a link to another folder.
    while let status = FileStatus(folder) {
      let identity = FileIdentity(status, missingName: nil)
      if identity == folders.last { break }
      folders.append(identity)
      folder += "/.."
    }
    return folders
  }

  private static func folder(of path: String) -> String {
    // A path without a name has no parent folder: the root is its own folder, and an empty path has none.
    guard let end = path.lastIndex(where: { $0 != "/" }) else { return path }
    guard let slash = path[...end].lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
