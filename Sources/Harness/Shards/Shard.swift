// A shard: the part of a run that one machine of several takes.

/// A part of a run, by its index and the number of parts.
package struct Shard: Codable, Sendable, Hashable, CustomStringConvertible {
  /// From 1.
  package var index: Int
  package var count: Int

  /// The most parts that a run is divided into.
  package static let mostCount = 10_000

  /// `nil` if the index or the count is out of range.
  package init?(index: Int, of count: Int) {
    guard (1...Shard.mostCount).contains(count), (1...count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// Whether index and count are valid.
  ///
  /// A shard that is decoded from a file may have any numbers.
  package var isPossible: Bool { Shard(index: index, of: count) != nil }

  /// Reads `2/6`; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Shard.number(parts[0]), let count = Shard.number(parts[1]) else { return nil }
    self.init(index: index, of: count)
  }

  /// A number of digits alone, as schedulers write them.
  static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  package var description: String { "\(index)/\(count)" }
}
