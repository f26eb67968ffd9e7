// Parses a model file's XML into a tree of elements, each with its line for messages.
internal import CoreDataModel
internal import Foundation
internal import Support

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// An element of a model file.
struct ModelElement {
  let name: String
  let attributes: [String: String]
  let line: Int
  fileprivate(set) var children: [ModelElement] = []

  subscript(_ attribute: String) -> String? { attributes[attribute] }

  /// Whether the attribute is `YES`; a missing one is not.
  func isSet(_ attribute: String) -> Bool { attributes[attribute] == "YES" }

  func children(named name: String) -> [ModelElement] { children.filter { $0.name == name } }

  /// Parses XML without a document type, so that it can include neither entities nor other files.
  ///
  /// - Throws: ``MalformedContent`` if the data is not XML.
  init(xml data: Data) throws(MalformedContent) {
    if let problem = ModelElement.problem(of: data) { throw problem }
    let parser = XMLParser(data: data)
    let tree = ElementTree()
    parser.delegate = tree
    parser.shouldResolveExternalEntities = false
    guard parser.parse(), let root = tree.root else {
      throw MalformedContent(
        found: data.isEmpty ? "an empty file" : "content that is not XML at line \(max(1, parser.lineNumber))",
        expected: "a model in XML")
    }
    self = root
  }

  fileprivate init(_ name: String, _ attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  private static func problem(of data: Data) -> MalformedContent? {
    if data.starts(with: "bplist".utf8) {
      return MalformedContent(found: "a compiled model or a property list", expected: "a model in XML")
    }
    // Other bytes would crash Foundation's XML parser on Linux (Swift 6.3).
    let text = String(data: data, encoding: .utf8).map { $0.drop { $0 == "\u{FEFF}" } }
    guard !data.contains(0), let text, declaresUTF8(text) else {
      return MalformedContent(found: "content that is not text in UTF-8", expected: "a model in XML")
    }
    if data.range(of: Data("<!DOCTYPE".utf8)) != nil {
      return MalformedContent(found: "XML with a document type", expected: "a model in XML, which has none")
    }
    // An empty processing instruction would crash that parser, too.
    if text.dropFirst(text.hasPrefix("<?xml ") ? 1 : 0).contains("<?") {
      return MalformedContent(found: "XML with a processing instruction", expected: "a model in XML, which has none")
    }
    if Nesting.isTooDeep(xml: Array(data)) {
      return MalformedContent(found: Nesting.found, expected: Nesting.expected)
    }
    return nil
  }

  /// Whether the text has no XML declaration, or one with UTF-8 or without encoding: in other encodings the same bytes
  /// would be other characters.
  private static func declaresUTF8(_ text: Substring) -> Bool {
    guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>") else { return true }
    let declaration = text[..<end.lowerBound].lowercased()
    guard let name = declaration.firstRange(of: "encoding") else { return true }
    let value = declaration[name.upperBound...].drop { $0.isWhitespace || $0 == "=" }
    return value.hasPrefix("\"utf-8\"") || value.hasPrefix("'utf-8'")
  }
}

/// Builds elements from the parser's events.
private final class ElementTree: NSObject, XMLParserDelegate {
  private static let mostElements = 200_000

  private(set) var root: ModelElement?
  /// The elements that are still open, the root first.
  private var open: [ModelElement] = []
  private var count = 0

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    count += 1
    if count > ElementTree.mostElements { return parser.abortParsing() }
    open.append(ModelElement(name, attributes, line: parser.lineNumber))
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    guard let element = open.popLast() else { return }
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }
}
