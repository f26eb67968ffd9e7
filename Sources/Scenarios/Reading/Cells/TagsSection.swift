// The key `tags`: words of the author's own, at the top of a file or in a cell.

/// Reads tags.
struct TagsSection: NodeReading {
  let diagnostics: Diagnostics

  /// The tags in the file's order, each once; none without the key.
  func read(_ node: YAMLNode?) -> [String] {
    guard let node, let items = items(node, expected: "a list of words, such as [nightly]") else { return [] }
    let expected = "a word of ASCII letters, digits, '-', '_' and '.'"
    var tags: [String] = []
    var earlier: Set<String> = []
    for item in items {
      guard let tag = text(item, expected: expected) else { continue }
      guard isName(tag) else {
        diagnose(item.place, found: "the tag \(shown(tag))", expected: expected)
        continue
      }
      if !earlier.insert(tag).inserted {
        diagnose(item.place, found: "the tag \(shown(tag)) again", expected: "each tag once")
      }
      tags.append(tag)
    }
    return tags
  }
}
