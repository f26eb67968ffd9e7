// Reads a write-ahead log by its format, as evidence that is independent of the meter.
import Foundation

/// The contents of a write-ahead log: https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
struct WALFile: Sendable, Hashable {
  var size: Int
  var pageSize = 0
  /// How often the log was restarted.
  var sequence = 0
  /// Frames of the current generation: those at the beginning with the header's salts.
  var frames = 0

  /// Reads the log of a database; a missing or empty one has size 0.
  init(of database: String) {
    let bytes = FileManager.default.contents(atPath: database + "-wal").map { Array($0) } ?? []
    size = bytes.count
    guard size >= 32 else { return }
    func number(at offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    pageSize = number(at: 8)
    sequence = number(at: 12)
    var offset = 32
    while offset + 24 + pageSize <= size, bytes[offset + 8..<offset + 16] == bytes[16..<24] {
      frames += 1
      offset += 24 + pageSize
    }
  }

  /// The number of frames that the file has space for, of any generation.
  var frameSlots: Int { size < 32 ? 0 : (size - 32) / (24 + pageSize) }
}
