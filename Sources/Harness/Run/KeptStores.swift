// `--keep-stores`: the store of each cell's first timed sample stays, to be opened with sqlite3.
internal import Foundation
package import BatchmarkEngine
internal import Support

extension SampleDirectories {
  /// Where the kept store of a cell goes: its id with what file names do not hold made harmless.
  package func keptStore(of cell: Cell) -> String {
    let name = cell.id.unicodeScalars.map { scalar -> Character in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      return isPlain || "-_=,.".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
    }
    return "\(root)/\(FileName.fitting(String(name))).sqlite"
  }

  /// Moves the store out of a sample's folder, unless one is kept for the cell already.
  ///
  /// - Returns: Where the store is now; nil when there was nothing to do.
  package func keepStore(in directory: String, of cell: Cell) throws(OutputError) -> String? {
    let files = FileManager.default
    let kept = keptStore(of: cell)
    guard !files.fileExists(atPath: kept) else { return nil }
    let names = (try? files.contentsOfDirectory(atPath: directory)) ?? []
    guard let store = names.sorted().first(where: { $0.hasSuffix(".sqlite") }) else { return nil }
    do {
      try files.moveItem(atPath: "\(directory)/\(store)", toPath: kept)
      // A WAL with contents belongs to the store: without it rows would be missing.
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
