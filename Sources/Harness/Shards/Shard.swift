// A shard: the part of a run that one of several machines takes.

/// A part of a run, by its index and the number of parts.
package struct Shard: Codable, Sendable, Hashable, CustomStringConvertible {
  /// The index, from 1.
  package var index: Int
  package var count: Int

  /// The maximum number of shards of a run.
  package static let mostCount = 10_000

  /// `nil` if the index or the count is out of range.
  package init?(index: Int, of count: Int) {
    guard (1...Shard.mostCount).contains(count), (1...count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// Whether index and count are valid.
  ///
  /// A shard decoded from a file may have any numbers.
  package var isPossible: Bool { Shard(index: index, of: count) != nil }

  /// Parses `2/6`; `nil` for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Shard.number(parts[0]), let count = Shard.number(parts[1]) else { return nil }
    self.init(index: index, of: count)
  }

  /// A number that has only digits, as schedulers write them.
  static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  package var description: String { "\(index)/\(count)" }
}
