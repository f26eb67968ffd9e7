// Parses a picture: the elements of its SVG, as an XML parser sees them.
import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// One element and its contents.
final class SVGElement {
  let name: String
  let attributes: [String: String]
  fileprivate(set) var children: [SVGElement] = []
  fileprivate(set) var text = ""

  fileprivate init(name: String, attributes: [String: String]) {
    (self.name, self.attributes) = (name, attributes)
  }

  struct NotWellFormed: Error { let line: Int, column: Int }

  /// Parses a whole picture.
  static func parse(_ svg: String) throws -> SVGElement {
    let reader = Reader()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = reader
    guard parser.parse(), let root = reader.root else {
      throw NotWellFormed(line: parser.lineNumber, column: parser.columnNumber)
    }
    return root
  }

  /// This element and all elements below it, in the order of the file.
  var all: [SVGElement] { [self] + children.flatMap(\.all) }

  var classes: [Substring] { attributes["class", default: ""].split(separator: " ") }

  /// All elements below with this class.
  func with(_ kind: Substring) -> [SVGElement] { all.filter { $0.classes.contains(kind) } }

  /// The text that a reader sees.
  var words: String { text }

  /// The tooltip.
  var title: String? { children.first { $0.name == "title" }?.text }

  /// An attribute as a number.
  subscript(_ attribute: String) -> Double { attributes[attribute].flatMap(Double.init) ?? .nan }

  /// The points of a path: the first move, then absolute steps.
  var places: [(x: Double, y: Double)] {
    var places: [(x: Double, y: Double)] = []
    var number = "", command: Character = " "
    var numbers: [Double] = []
    func finish() {
      let (x, y) = (places.last?.x ?? 0, places.last?.y ?? 0)
      switch (command, numbers.count) {
      case ("M", 2), ("L", 2): places.append((numbers[0], numbers[1]))
      case ("H", 1): places.append((numbers[0], y))
      case ("V", 1): places.append((x, numbers[0]))
      default: break
      }
      numbers = []
    }
    for character in attributes["d", default: ""] + " Z" {
      if character.isNumber || character == "." || character == "-" {
        number.append(character)
        continue
      }
      if let value = Double(number) { numbers.append(value) }
      number = ""
      guard character.isLetter else { continue }
      finish()
      command = character
    }
    return places
  }
}

private final class Reader: NSObject, XMLParserDelegate {
  var root: SVGElement?
  private var open: [SVGElement] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    let element = SVGElement(name: name, attributes: attributes)
    if let parent = open.last { parent.children.append(element) } else { root = element }
    open.append(element)
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    open.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { open.last?.text += string }
}
