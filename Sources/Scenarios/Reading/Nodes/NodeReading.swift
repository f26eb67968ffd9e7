// How a part of a file is read: its sections, lists and keys, with an error for everything else.
import SystemPackage

/// A type that reads nodes of a file and notes what is wrong with them.
///
/// A function that finds a mistake notes it and returns nil; a caller that gets nil has nothing to add. None of it knows
/// what the file is about.
protocol NodeReading {
  /// Collects the mistakes.
  var diagnostics: Diagnostics { get }
}

extension NodeReading {
  /// Notes a mistake.
  func diagnose(
    _ place: SourceLocation, found: String, expected: String, suggestion: String? = nil,
    namedFile: ScenarioError.NamedFile? = nil
  ) {
    var error = ScenarioError(
      file: diagnostics.file, place: place, found: found, expected: expected, suggestion: suggestion)
    error.namedFile = namedFile
    diagnostics.note(error)
  }

  /// Notes a wrong word with the words that are right, the nearest of them suggested.
  func diagnose(_ place: SourceLocation, found: String, word: String, words: [String]) {
    let others = words.count - NodeReadingLimits.words
    let list = words.prefix(NodeReadingLimits.words).joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
    diagnose(
      place, found: found, expected: words.count == 1 ? words[0] : "one of " + list,
      suggestion: nearest(to: word, among: words))
  }

  /// The nearest of the words; nil if there are already too many mistakes to read, because the search takes time.
  func nearest(to word: String, among words: [String]) -> String? {
    diagnostics.count < NodeReadingLimits.suggestions ? nearestWord(to: word, among: words) : nil
  }

  /// A path as the process understands it: those in the file are relative to it, those of the command line to the
  /// process's directory.
  ///
  /// The system reads a path as far as its first character of code 0, so one with such a character names another file.
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
  /// Reads a mapping whose keys are all known.
  ///
  /// It notes unknown keys, and unsupported ones with what to use instead. It then reads a misspelt key as the nearest
  /// known one, so that it does not report that one as missing too.
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

  /// The value of a key that must be there.
  func required(_ key: String, in section: Section, example: String) -> YAMLNode? {
    if let node = section[key] { return node }
    diagnose(section.place, found: "no key '\(key)'", expected: "one, such as \(example)")
    return nil
  }
}

/// What a message may cost where a file has thousands of names, or of mistakes.
private enum NodeReadingLimits {
  /// Words that a message lists.
  static let words = 100
  /// Mistakes for which the nearest word is looked for.
  static let suggestions = 100
  /// Bytes of a path that the system takes.
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

  /// The same with another value at a path of keys.
  func setting(_ path: [String], to node: YAMLNode) -> Section {
    guard let key = path.first else { return self }
    var section = self
    section.values[key, default: YAMLNode(.mapping([]), at: node.place)].set(path.dropFirst(), to: node)
    return section
  }
}
