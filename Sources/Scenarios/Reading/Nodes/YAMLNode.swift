// The contents of a file as nodes with their positions.

/// A value in the file.
struct YAMLNode {
  enum Content {
    case scalar(String, isQuoted: Bool)
    case list([YAMLNode])
    case mapping([Entry])
  }

  struct Entry {
    var key: String
    var keyPlace: SourceLocation
    var value: YAMLNode
  }

  var content: Content
  var place: SourceLocation

  init(_ content: Content, at place: SourceLocation) {
    self.content = content
    self.place = place
  }

  /// Whether the value is empty, `~` or `null`.
  var isNothing: Bool {
    if case .scalar(let text, isQuoted: false) = content { ["", "~", "null"].contains(text) } else { false }
  }

  /// A description of the node for messages.
  var kind: String {
    switch content {
    case .scalar where isNothing: "nothing"
    case .scalar(let text, isQuoted: true): "the text \(shown(text, quote: "\""))"
    case .scalar(let text, isQuoted: false): shown(text)
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }

  /// The text of a scalar.
  var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  /// The value of a mapping's key.
  subscript(key: String) -> YAMLNode? {
    if case .mapping(let entries) = content { entries.first { $0.key == key }?.value } else { nil }
  }

  /// Sets the value at a path of keys and creates missing mappings.
  ///
  /// It stops at a list or a scalar; that mistake is reported when the node is read.
  mutating func set(_ path: ArraySlice<String>, to node: YAMLNode) {
    guard let key = path.first else {
      self = node
      return
    }
    if isNothing { self = YAMLNode(.mapping([]), at: node.place) }
    guard case .mapping(var entries) = content else { return }
    if let index = entries.firstIndex(where: { $0.key == key }) {
      entries[index].value.set(path.dropFirst(), to: node)
    } else {
      var value = YAMLNode(.mapping([]), at: node.place)
      value.set(path.dropFirst(), to: node)
      entries.append(Entry(key: key, keyPlace: node.place, value: value))
    }
    content = .mapping(entries)
  }

  /// Removes a key from a mapping and returns whether the mapping had it.
  mutating func remove(_ key: String) -> Bool {
    guard case .mapping(var entries) = content, let index = entries.firstIndex(where: { $0.key == key }) else {
      return false
    }
    entries.remove(at: index)
    content = .mapping(entries)
    return true
  }
}

/// Where a node was written.
enum SourceLocation: Hashable, Sendable {
  /// A position in the file, counted from 1.
  case file(line: Int, column: Int)
  /// A setting on the command line, as the user wrote it.
  case setting(String)
  /// No particular position, such as in an empty file.
  case wholeFile
}
