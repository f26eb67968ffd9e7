// The reading of one scenario: its complaints so far, and how sections, words and numbers are read.

/// Reads nodes into a scenario and notes every mistake on the way, so that a file's author sees them all at once.
///
/// A function that finds a mistake notes it and returns nil; a caller that gets nil has nothing to add.
struct ScenarioReading {
  let schema: ScenarioSchema
  let file: String
  /// Whether settings of the command line changed parameters of cells, and with them the cells' names.
  var hasRenamedCells = false
  /// Whether settings took the place of what the file sweeps, so that its exclusions may be about cells that are not there.
  var hasReplacedSweep = false
  private(set) var errors: [ScenarioError] = []
  private var known: Set<ScenarioError> = []

  init(schema: ScenarioSchema, file: String) {
    self.schema = schema
    self.file = file
  }

  /// Notes a mistake, once: a sweep has the file read for each of its combinations.
  mutating func complain(
    _ place: Place, found: String, expected: String, suggestion: String? = nil,
    namedFile: ScenarioError.NamedFile? = nil
  ) {
    var error = ScenarioError(file: file, place: place, found: found, expected: expected, suggestion: suggestion)
    error.namedFile = namedFile
    if known.insert(error).inserted { errors.append(error) }
  }

  /// Notes a wrong word with the words that are right, the nearest of them suggested.
  mutating func complain(_ place: Place, found: String, word: String, words: [String]) {
    complain(
      place, found: found, expected: words.count == 1 ? words[0] : "one of " + words.joined(separator: ", "),
      suggestion: nearestWord(to: word, among: words))
  }
}

/// A mapping with known keys.
struct Section {
  let place: Place
  private(set) var values: [String: YAMLNode] = [:]

  init(_ entries: [YAMLNode.Entry], at place: Place) {
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

// MARK: - Sections

extension ScenarioReading {
  /// Reads a mapping whose keys are all known.
  ///
  /// Unknown ones are noted and so are those whose turn has not come yet and, with what to use instead, those that are
  /// not supported; a misspelt one is then read as the key it is nearest to, so that nothing is said to be missing that
  /// is there.
  mutating func section(
    _ node: YAMLNode, keys: [String], reserved: [String] = [], unsupported: [String: String] = [:]
  ) -> Section? {
    guard let entries = entries(node, expected: "a mapping with keys among " + keys.joined(separator: ", ")) else {
      return nil
    }
    var known = entries.filter { keys.contains($0.key) }
    for var entry in entries where !keys.contains(entry.key) {
      if reserved.contains(entry.key) {
        complain(
          entry.keyPlace, found: "the key \(shown(entry.key)), which is reserved and not built yet",
          expected: "one of " + keys.joined(separator: ", "))
      } else if let instead = unsupported[entry.key] {
        complain(entry.keyPlace, found: "the key \(shown(entry.key)), which is not supported", expected: instead)
      } else {
        complain(entry.keyPlace, found: "the key \(shown(entry.key))", word: entry.key, words: keys)
        guard let key = nearestWord(to: entry.key, among: keys), !known.contains(where: { $0.key == key }) else {
          continue
        }
        entry.key = key
        known.append(entry)
      }
    }
    return Section(known, at: node.place)
  }

  /// The entries of a mapping.
  mutating func entries(_ node: YAMLNode, expected: String) -> [YAMLNode.Entry]? {
    guard case .mapping(let entries) = node.content else {
      complain(node.place, found: node.kind, expected: expected)
      return nil
    }
    return entries
  }

  /// The items of a list.
  mutating func items(_ node: YAMLNode, expected: String) -> [YAMLNode]? {
    guard case .list(let items) = node.content else {
      complain(node.place, found: node.kind, expected: expected)
      return nil
    }
    return items
  }

  /// The value of a key that must be there.
  mutating func required(_ key: String, in section: Section, example: String) -> YAMLNode? {
    if let node = section[key] { return node }
    complain(section.place, found: "no key '\(key)'", expected: "one, such as \(example)")
    return nil
  }
}

// MARK: - Words and numbers

extension ScenarioReading {
  /// Text that is not empty.
  mutating func text(_ node: YAMLNode, expected: String) -> String? {
    guard let text = node.text, !node.isNothing, !text.isEmpty else {
      complain(node.place, found: node.kind, expected: expected)
      return nil
    }
    return text
  }

  /// One of a few words, in lower case or not.
  mutating func word(_ node: YAMLNode, among words: [String]) -> String? {
    guard let text = text(node, expected: "one of " + words.joined(separator: ", ")) else { return nil }
    let word = text.lowercased()
    guard words.contains(word) else {
      complain(node.place, found: shown(text), word: text, words: words)
      return nil
    }
    return word
  }

  /// Whether a node says true; a node that says neither true nor false is noted and counts as false.
  mutating func isTrue(_ node: YAMLNode) -> Bool { word(node, among: ["true", "false"]) == "true" }

  /// A whole number in a range, underscores between its digits or not.
  mutating func wholeNumber<Number: FixedWidthInteger>(
    _ node: YAMLNode, in range: ClosedRange<Number>, of what: String = ""
  ) -> Number? {
    let expected = "a whole number\(what) from \(range.lowerBound) to \(range.upperBound)"
    guard case .scalar(let text, isQuoted: false) = node.content, let digits = wholeNumberDigits(text) else {
      complain(node.place, found: node.kind, expected: expected)
      return nil
    }
    guard let number = Number(digits), range.contains(number) else {
      complain(node.place, found: String(text.prefix(40)), expected: expected)
      return nil
    }
    return number
  }

  /// A share written as a percentage, as a number from 0 to 1.
  mutating func share(_ node: YAMLNode) -> Double? {
    let expected = "a percentage from 0% to 100%"
    guard let text = text(node, expected: expected) else { return nil }
    if text.hasSuffix("%"), let percent = decimalNumber(text.dropLast()), (0...100).contains(percent) {
      return percent / 100
    }
    // A bare number is a slip with two readings: 0.05 and 5 both mean five in a hundred to someone.
    let suggestion = decimalNumber(text[...]).flatMap { number -> String? in
      guard (0...100).contains(number) else { return nil }
      return number > 0 && number < 1 ? percentText(number) : "\(text)%"
    }
    complain(node.place, found: node.kind, expected: expected, suggestion: suggestion)
    return nil
  }

  /// A duration of at most a day, in seconds: `600 s`, `500 ms`, `10 min`, `1 h`.
  mutating func seconds(_ node: YAMLNode) -> Double? {
    let expected = "a duration above 0 and up to 24 h, such as 600 s (ms, s, min and h are units)"
    guard let text = text(node, expected: expected) else { return nil }
    let number = text.prefix { $0.isNumber || "+-._".contains($0) }
    let unit = text.dropFirst(number.count).drop { $0 == " " }
    let factors: [Substring: Double] = ["ms": 0.001, "s": 1, "min": 60, "h": 3600]
    guard let factor = factors[unit], let value = decimalNumber(number), value > 0, value * factor <= 86_400 else {
      let suggestion = unit.isEmpty && decimalNumber(number) ?? 0 > 0 ? "\(text) s" : nil
      complain(node.place, found: node.kind, expected: expected, suggestion: suggestion)
      return nil
    }
    return value * factor
  }
}

/// A number with a fraction or without, underscores between its digits or not; neither `inf` nor `0x10`.
func decimalNumber(_ text: some StringProtocol) -> Double? {
  let bytes = text.split(separator: "_", omittingEmptySubsequences: false).joined()
  guard !text.hasPrefix("_"), !text.hasSuffix("_"), !text.contains("__") else { return nil }
  return NumberToken(Array(bytes.utf8)[...])?.real
}

/// A share as people write it: `5%`, `2.5%`.
func percentText(_ share: Double) -> String {
  let hundredths = (share * 10_000).rounded() / 100
  return hundredths == hundredths.rounded() ? "\(Int(hundredths))%" : "\(hundredths)%"
}

/// The digits of a whole number, without its underscores; nil when the text is none.
func wholeNumberDigits(_ text: String) -> String? {
  let digits = text.utf8.first.map { "+-".utf8.contains($0) } == true ? text.dropFirst() : text[...]
  let groups = digits.split(separator: "_", omittingEmptySubsequences: false)
  let isNumber = groups.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
  return isNumber ? text.filter { $0 != "_" } : nil
}
