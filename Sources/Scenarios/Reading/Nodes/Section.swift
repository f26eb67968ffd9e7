// A mapping with known keys, as the readers of sections see it.

/// A mapping with known keys.
struct Section {
  let place: SourceLocation
  private(set) var values: [String: YAMLNode] = [:]

  init(_ entries: [YAMLNode.Entry], at place: SourceLocation) {
    self.place = place
    for entry in entries { values[entry.key] = entry.value }
  }

  subscript(key: String) -> YAMLNode? { values[key] }

  /// The same with another value at a path of keys.
  func setting(_ path: [String], to node: YAMLNode) -> Section {
    guard let key = path.first else { return self }
    var section = self
    section.values[key, default: YAMLNode(.mapping([]), at: node.place)].set(path.dropFirst(), to: node)
    return section
  }
}
