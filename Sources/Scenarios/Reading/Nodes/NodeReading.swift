// Reads parts of a file: sections, lists and keys. Everything else is an error.
import SystemPackage

/// A type that reads nodes of a file and reports their mistakes.
///
/// A function that finds a mistake reports it and returns `nil`, so a caller that gets `nil` need not report anything.
/// The protocol does not depend on the kind of file.
protocol NodeReading {
  /// Collects the mistakes.
  var diagnostics: Diagnostics { get }
}

extension NodeReading {
  /// Reports a mistake.
  func diagnose(
    _ place: SourceLocation, found: String, expected: String, suggestion: String? = nil,
    namedFile: ScenarioError.NamedFile? = nil
  ) {
    var error = ScenarioError(
      file: diagnostics.file, place: place, found: found, expected: expected, suggestion: suggestion)
    error.namedFile = namedFile
    diagnostics.note(error)
  }

  /// Reports a wrong word with the valid words, and suggests the nearest one.
  func diagnose(_ place: SourceLocation, found: String, word: String, words: [String]) {
    let others = words.count - NodeReadingLimits.words
    let list = words.prefix(NodeReadingLimits.words).joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
    diagnose(
      place, found: found, expected: words.count == 1 ? words[0] : "one of " + list,
      suggestion: nearest(to: word, among: words))
  }

  /// The nearest of the words; `nil` if there are already very many mistakes, because the search takes time.
  func nearest(to word: String, among words: [String]) -> String? {
    diagnostics.count < NodeReadingLimits.suggestions ? nearestWord(to: word, among: words) : nil
  }

  /// A path that the process can use.
  ///
  /// Paths in a file are relative to the file, those of the command line to the process's directory.
  ///
  /// A path with a null character is an error, because the system would cut it off there and use another file.
  func resolve(_ path: String, at place: SourceLocation) -> String? {
    guard !path.utf8.contains(0), path.utf8.count <= NodeReadingLimits.path else {
      let found = path.utf8.contains(0) ? "the path \(shown(path))" : "a path of \(path.utf8.count) bytes"
      let expected = path.utf8.contains(0) ? "a path without the character \\0" : "at most \(NodeReadingLimits.path)"
      diagnose(place, found: found, expected: expected)
      return nil
    }
    guard case .file = place else { return path }
    return FilePath(diagnostics.file).removingLastComponent().pushing(FilePath(path)).string
  }
}

// MARK: - Sections

extension NodeReading {
  /// Reads a mapping and checks its keys.
  ///
  /// It reports unknown keys, and unsupported ones with an alternative. It reads a misspelled key as the nearest known
  /// one, so that this one is not reported as missing too.
  func section(
    _ node: YAMLNode, keys: [String], unsupported: [String: String] = [:]
  ) -> Section? {
    guard let entries = entries(node, expected: "a mapping with keys among " + keys.joined(separator: ", ")) else {
      return nil
    }
    var known = entries.filter { keys.contains($0.key) }
    for var entry in entries where !keys.contains(entry.key) {
      if let instead = unsupported[entry.key] {
        diagnose(entry.keyPlace, found: "the key \(shown(entry.key)), which is not supported", expected: instead)
      } else {
        diagnose(entry.keyPlace, found: "the key \(shown(entry.key))", word: entry.key, words: keys)
        guard let key = nearest(to: entry.key, among: keys), !known.contains(where: { $0.key == key }) else {
          continue
        }
        entry.key = key
        known.append(entry)
      }
    }
    return Section(known, at: node.place)
  }

  /// The entries of a mapping.
  func entries(_ node: YAMLNode, expected: String) -> [YAMLNode.Entry]? {
    guard case .mapping(let entries) = node.content else {
      diagnose(node.place, found: node.kind, expected: expected)
      return nil
    }
    return entries
  }

  /// The items of a list.
  func items(_ node: YAMLNode, expected: String) -> [YAMLNode]? {
    guard case .list(let items) = node.content else {
      diagnose(node.place, found: node.kind, expected: expected)
      return nil
    }
    return items
  }

  /// The value of a required key.
  func required(_ key: String, in section: Section, example: String) -> YAMLNode? {
    if let node = section[key] { return node }
    diagnose(section.place, found: "no key '\(key)'", expected: "one, such as \(example)")
    return nil
  }
}

/// Limits on the cost of messages if a file has thousands of names or mistakes.
private enum NodeReadingLimits {
  /// The most words that a message lists.
  static let words = 100
  /// The most mistakes for which the nearest word is searched.
  static let suggestions = 100
  /// The longest path that the system accepts, in bytes.
  static let path = 4_096
}

/// A mapping with known keys.
struct Section {
  let place: SourceLocation
  private(set) var values: [String: YAMLNode] = [:]

  init(_ entries: [YAMLNode.Entry], at place: SourceLocation) {
    self.place = place
    for entry in entries { values[entry.key] = entry.value }
  }

  subscript(key: String) -> YAMLNode? { values[key] }

  /// The same section with another value at a path of keys.
  func setting(_ path: [String], to node: YAMLNode) -> Section {
    guard let key = path.first else { return self }
    var section = self
    section.values[key, default: YAMLNode(.mapping([]), at: node.place)].set(path.dropFirst(), to: node)
    return section
  }
}
