// What a power failure removes: writes since the last sync of a file, undone in a copy of the files.
internal import CSQLite
internal import Foundation

/// The writes that no sync has secured.
struct UnsyncedWrites {
  /// The data that a write has replaced.
  private struct Undo {
    let offset: Int64
    let bytes: [UInt8]
    /// The file's length before the write.
    let size: Int64
  }

  private var names: [String] = []
  private var undos: [Int: [Undo]] = [:]

  var isEmpty: Bool { undos.isEmpty }

  /// The number of a file; -1 without a name.
  mutating func number(of name: String?) -> Int {
    guard let name else { return -1 }
    if let number = names.firstIndex(of: name) { return number }
    names.append(name)
    return names.count - 1
  }

  /// Records the data that a write or a truncation is about to replace.
  mutating func note(_ file: UnsafeMutablePointer<sqlite3_file>, offset: Int64, count: Int64) {
    guard file.number >= 0, let methods = file.real.pointee.pMethods else { return }
    var size: Int64 = 0
    _ = methods.pointee.xFileSize?(file.real, &size)
    var bytes = [UInt8](repeating: 0, count: Int(max(0, min(count, size - offset))))
    let length = Int32(bytes.count)
    if length > 0 {
      _ = bytes.withUnsafeMutableBytes { methods.pointee.xRead?(file.real, $0.baseAddress, length, offset) }
    }
    undos[file.number, default: []].append(Undo(offset: offset, bytes: bytes, size: size))
  }

  mutating func synced(_ file: UnsafeMutablePointer<sqlite3_file>) { undos[file.number] = nil }

  /// A deleted file has no writes to lose.
  mutating func forget(_ name: String) { if let number = names.firstIndex(of: name) { undos[number] = nil } }

  mutating func reset() { undos = [:] }

  /// Undoes writes in a copy of the folder.
  func undo(in copy: StoreFolder, of folder: StoreFolder) throws {
    for (number, writes) in undos {
      guard let name = names[number].split(separator: "/").last, names[number].hasPrefix(folder.path + "/") else {
        continue
      }
      let url = URL(fileURLWithPath: copy.path + "/" + name)
      guard var bytes = try? [UInt8](Data(contentsOf: url)) else { continue }
      for undo in writes.reversed() {
        let size = Int(undo.size)
        bytes = Array(bytes.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - bytes.count))
        let end = min(size, Int(undo.offset) + undo.bytes.count)
        if Int(undo.offset) < end {
          bytes.replaceSubrange(Int(undo.offset)..<end, with: undo.bytes.prefix(end - Int(undo.offset)))
        }
      }
      try Data(bytes).write(to: url)
    }
  }
}

// Safe by proof, like `faults`.
nonisolated(unsafe) var unsynced = UnsyncedWrites()
