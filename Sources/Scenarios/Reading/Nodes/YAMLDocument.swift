// Parses text into nodes with Yams; no other file uses it. Errors of Yams become errors with a position, and features
// that scenario files do not use (anchors, tags, keys that are not words) are refused.
import CoreDataFiles
internal import CYaml
import Yams

/// Reads one YAML document (JSON is a subset) into nodes.
struct YAMLDocument: NodeReading {
  let diagnostics: Diagnostics
  private let lineCount: Int
  /// The root node, incomplete if there are diagnostics; `nil` if the text is not a document.
  private(set) var root: YAMLNode?

  /// More than twice as deep as any scenario needs.
  private static let deepestNesting = 16
  /// Limit the parser below Yams, because Yams itself recurses for each level before it returns a node.
  private static let isNestingLimited: Void = yaml_set_max_nest_level(Int32(YAMLDocument.deepestParsed))
  /// A bracket takes up to 4 KiB of a thread's stack in Yams, because `[key:` opens a list and a mapping inside it.
  private static let deepestParsed = 64
  /// More aliases than any file has by accident.
  private static let mostAliases = 16

  init(text: String, diagnostics: Diagnostics) {
    self.diagnostics = diagnostics
    lineCount = text.unicodeScalars.count { $0 == "\n" } + 1
    var text = text
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    // With nested aliases, the time Yams needs doubles with each line before it returns a single node.
    if let place = excessiveAlias(in: text) {
      diagnose(place, found: "anchors and aliases", expected: "each value written out where it is used")
      return
    }
    // Yams keeps a pointer into the string's storage, but the shortest strings have no separate storage.
    text += String(repeating: "\n", count: max(0, 16 - text.utf8.count))
    YAMLDocument.isNestingLimited
    do {
      // Set the encoding, because the default depends on the environment. Use the resolver without rules, because the
      // reader decides what a scalar means.
      let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
      guard let node = try parser.singleRoot() else {
        diagnose(.wholeFile, found: "an empty file", expected: "a scenario, such as Scenarios/earthquakes.yml")
        return
      }
      // Nodes reference their anchors weakly, and the parser owns them.
      root = withExtendedLifetime(parser) { convert(node, depth: 1) }
    } catch let error as YamlError {
      diagnose(about: error, in: text)
    } catch {
      diagnose(.wholeFile, found: "text that cannot be read (\(error))", expected: "YAML")
    }
  }

  private func convert(_ node: Node, depth: Int) -> YAMLNode? {
    let place = node.mark.map { SourceLocation.file(line: $0.line, column: $0.column) } ?? .wholeFile
    guard node.anchor == nil else {
      diagnose(place, found: "an anchor", expected: "each value written out where it is used")
      return nil
    }
    guard depth <= YAMLDocument.deepestNesting else {
      diagnose(place, found: "values nested \(depth) deep", expected: "a scenario, which never nests so deep")
      return nil
    }
    switch node {
    case .scalar(let scalar):
      refuseTag(scalar.tag.rawValue, at: place)
      return YAMLNode(.scalar(scalar.string, isQuoted: scalar.style != .plain), at: place)
    case .sequence(let sequence):
      refuseTag(sequence.tag.rawValue, at: place)
      return YAMLNode(.list(sequence.compactMap { convert($0, depth: depth + 1) }), at: place)
    case .mapping(let mapping):
      refuseTag(mapping.tag.rawValue, at: place)
      return YAMLNode(.mapping(mapping.compactMap { entry($0.key, $0.value, depth: depth + 1) }), at: place)
    case .alias:
      diagnose(place, found: "an alias", expected: "each value written out where it is used")
      return nil
    }
  }

  private func entry(_ key: Node, _ value: Node, depth: Int) -> YAMLNode.Entry? {
    guard let key = convert(key, depth: depth) else { return nil }
    guard let word = key.text else {
      diagnose(key.place, found: "\(key.kind) as a key", expected: "a word")
      return nil
    }
    guard word != "<<" else {
      diagnose(key.place, found: "the merge key '<<'", expected: "each value written out where it is used")
      return nil
    }
    return convert(value, depth: depth).map { YAMLNode.Entry(key: word, keyPlace: key.place, value: $0) }
  }

  private func refuseTag(_ tag: String, at place: SourceLocation) {
    guard !["", "tag:yaml.org,2002:str"].contains(tag) else { return }
    diagnose(place, found: "the tag \(shown(tag))", expected: "a value without a tag")
  }
}

// MARK: - Errors of Yams

extension YAMLDocument {
  private func diagnose(about error: YamlError, in text: String) {
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let place = place(of: mark)
      if problem.hasPrefix("Maximum nesting level") {
        diagnose(
          place, found: "values nested more than \(YAMLDocument.deepestParsed) deep",
          expected: "at most \(YAMLDocument.deepestParsed) levels")
      } else if character(at: mark, in: text) == "\t" || problem.contains("tab character") {
        diagnose(place, found: "a tab", expected: "spaces, with which alone YAML indents")
      } else if problem.contains("another document") {
        diagnose(place, found: "a second document", expected: "one scenario a file")
      } else {
        let circumstance = context.map { " (\($0.text) that begins at \($0.mark.line):\($0.mark.column))" } ?? ""
        diagnose(
          place, found: "text that is not YAML: \(problem)\(circumstance)",
          expected: "YAML, in which text stands in quotes when it has ': ' or ' #', or begins with a sign such as "
            + "[ { * & %")
      }
    case .duplicatedKeysInMapping(let keys, let context):
      let names = keys.map { shown($0) }.joined(separator: ", ")
      diagnose(
        .file(line: context.mark.line, column: context.mark.column),
        found: "the key\(keys.count > 1 ? "s" : "") \(names) more than once in one mapping",
        expected: "each key once")
    case .reader(let problem, let offset, _, _):
      let position = offset.map { place(ofCharacter: $0, in: text) } ?? SourceLocation.wholeFile
      diagnose(position, found: "a character that YAML does not allow (\(problem))", expected: "printable text")
    default:
      diagnose(.wholeFile, found: "text that cannot be read (\(error))", expected: "YAML")
    }
  }

  /// The position of a mark; a mark after the end, in the padding, becomes the end.
  private func place(of mark: Mark) -> SourceLocation {
    mark.line > lineCount ? .file(line: lineCount, column: 1) : .file(line: mark.line, column: mark.column)
  }

  private func character(at mark: Mark, in text: String) -> Unicode.Scalar? {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    guard mark.line >= 1, mark.line <= lines.count else { return nil }
    return lines[mark.line - 1].dropFirst(mark.column - 1).first
  }

  private func place(ofCharacter offset: Int, in text: String) -> SourceLocation {
    var (line, column) = (1, 1)
    for scalar in text.prefix(offset).unicodeScalars {
      (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
    }
    return .file(line: line, column: column)
  }

  /// The position of the first excess alias, in a file that has an anchor.
  ///
  /// It only looks at words, so aliases in comments count too. A scenario needs neither.
  private func excessiveAlias(in text: String) -> SourceLocation? {
    var (line, column, aliases) = (1, 1, 0)
    var hasAnchor = false
    var previous: Unicode.Scalar = "\n"
    for scalar in text.unicodeScalars {
      if " \n\t\r[{,:-?".unicodeScalars.contains(previous) {
        hasAnchor = hasAnchor || scalar == "&"
        aliases += scalar == "*" ? 1 : 0
        if hasAnchor && aliases > YAMLDocument.mostAliases { return .file(line: line, column: column) }
      }
      (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
      previous = scalar
    }
    return nil
  }
}
