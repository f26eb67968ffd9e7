// Whether all parts of a whole are present, each once.
internal import Harness

/// One of several parts to merge.
struct ShardPart {
  /// The user's name for it.
  let name: String
  let shard: Shard
  /// Whether it was measured completely.
  let isWhole: Bool
  /// What to do about an incomplete part.
  var remedy = "continue it with --resume"

  /// What is wrong with an invalid part; `nil` for a valid one.
  static func impossible(_ shard: Shard, _ name: String) -> String? {
    shard.isPossible
      ? nil : "\(name) says that it is shard \(shard); expected one from 1/1 to \(Shard.mostCount)/\(Shard.mostCount)"
  }

  /// The missing parts, by index.
  static func missing(from parts: [ShardPart]) -> [Int] {
    let found = Set(parts.map(\.shard.index))
    return parts.first.map { first in (1...first.shard.count).filter { !found.contains($0) } } ?? []
  }

  /// Why the parts are not complete, one sentence each.
  ///
  /// - Parameters:
  ///   - parts: The parts in the order of their shards.
  ///   - isPartial: Whether parts may be missing or interrupted.
  /// - Returns: The sentences; empty if the parts are complete.
  static func obstacles(to parts: [ShardPart], isPartial: Bool) -> [String] {
    var sentences = zip(parts, parts.dropFirst()).filter { $0.shard.index == $1.shard.index }.map { one, other in
      "\(one.name) and \(other.name) are both shard \(one.shard); leave one of them out"
    }
    guard !isPartial, let count = parts.first?.shard.count else { return sentences }
    let missing = missing(from: parts)
    if !missing.isEmpty {
      let (verb, them) = missing.count == 1 ? ("is", "it") : ("are", "them")
      sentences.append(
        "\(list(missing)) of \(count) \(verb) missing; run \(them), or merge what there is with --partial")
    }
    return sentences
      + parts.filter { !$0.isWhole }.map {
        "\($0.name), shard \($0.shard), was interrupted; \($0.remedy), or merge what there is with --partial"
      }
  }

  private static func list(_ shards: [Int]) -> String {
    (shards.count == 1 ? "shard " : "shards ") + shards.map { "\($0)" }.joined(separator: ", ")
  }
}
