// The folders of the samples. They are in the output folder, so on the file system that the user chose, and their paths
// have one length, so that no allocation for a path depends on where the run writes.
package import BatchmarkEngine
internal import Foundation
internal import Support
internal import SystemPackage

/// Makes and removes the samples' folders under `<output>/stores`.
package struct SampleDirectories: Sendable {
  /// The length of every sample's path is a multiple of this many bytes: the same for all but very long output paths.
  static let pathUnit = 224
  /// SQLite refuses paths of more than 512 bytes including its own suffixes (`MAX_PATHNAME` in os_unix.c).
  static let longestRoot = 2 * pathUnit - 24

  /// `<output>/stores`, absolute, without symbolic links.
  package let root: String

  /// Makes `stores` in the existing output folder and removes folders that an interrupted run left in it.
  package init(output: String) throws(OutputError) {
    let path = output + "/stores"
    try Folder.make(path, withParents: false)
    root = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    try SampleDirectories.checkPath(root)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    where name.hasPrefix(SampleDirectories.prefix) {
      // A file with such a name is the kept store of a scenario.
      let path = root + "/" + name
      if (try? FilePath(path).stat())?.type == .directory { try? FileManager.default.removeItem(atPath: path) }
    }
  }

  private static let prefix = "sample-"

  /// Refuses an output folder with a path that is too long for its stores.
  package static func checkPath(output: String) throws(OutputError) { try checkPath(output + "/stores") }

  private static func checkPath(_ root: String) throws(OutputError) {
    guard root.utf8.count <= longestRoot else { throw .pathTooLong(path: root, limit: longestRoot) }
  }

  /// The path of a sample's folder; `number` identifies the sample in the run.
  func path(number: Int) -> String {
    let digits = String(number)
    let name = SampleDirectories.prefix + String(repeating: "0", count: max(6 - digits.count, 0)) + digits + "-"
    let used = root.utf8.count + 1 + name.utf8.count
    let unit = SampleDirectories.pathUnit
    let length = (used + unit - 1) / unit * unit
    return "\(root)/\(name)\(String(repeating: "x", count: length - used))"
  }

  /// Makes an empty folder for a sample and returns its path.
  package func make(number: Int) throws(OutputError) -> String {
    let path = path(number: number)
    try? FileManager.default.removeItem(atPath: path)
    try Folder.make(path, withParents: false)
    return path
  }

  /// Removes a sample's folder with everything in it.
  package func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// Removes `stores` if no store is kept in it.
  package func removeIfEmpty() {
    if let names = try? FileManager.default.contentsOfDirectory(atPath: root), names.isEmpty { remove(root) }
  }
}

extension SampleDirectories {
  /// The path of a cell's kept store: its id, with characters replaced that are not allowed in file names.
  package func keptStore(of cell: Cell) -> String {
    let name = cell.id.unicodeScalars.map { scalar -> Character in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      return isPlain || "-_=,.".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
    }
    return "\(root)/\(FileName.fitting(String(name))).sqlite"
  }

  /// Moves the store out of a sample's folder, unless the cell already has a kept store.
  ///
  /// - Returns: The new path of the store; `nil` if there was nothing to move.
  package func keepStore(in directory: String, of cell: Cell) throws(OutputError) -> String? {
    let files = FileManager.default
    let kept = keptStore(of: cell)
    guard !files.fileExists(atPath: kept) else { return nil }
    let names = (try? files.contentsOfDirectory(atPath: directory)) ?? []
    guard let store = names.sorted().first(where: { $0.hasSuffix(".sqlite") }) else { return nil }
    do {
      try files.moveItem(atPath: "\(directory)/\(store)", toPath: kept)
      // A WAL with contents is part of the store: without it, rows would be missing.
      let wal = "\(directory)/\(store)-wal"
      if names.contains(store + "-wal"), (try files.attributesOfItem(atPath: wal)[.size] as? Int) ?? 0 > 0 {
        try files.moveItem(atPath: wal, toPath: kept + "-wal")
      }
    } catch {
      throw .unwritable(path: kept, reason: OutputError.reason(error))
    }
    return kept
  }
}
