// A page as a list of blocks, which can be rendered as Markdown, as HTML or for a terminal.
internal import Analysis
internal import Charts

/// A page under construction.
///
/// Its texts are single lines of Markdown with code, bold and emphasized text.
struct Document {
  enum Block {
    /// The beginning of a page, or of one of its scenarios.
    case opening(Opening)
    case heading(Int, String)
    case paragraph(String)
    case list([ListItem])
    /// Preformatted text.
    case fence(String, language: String)
    case table(Table)
    /// Notices in a box that a reader must know in addition to the answer.
    case notices([Notice])
    case picture(Picture)
    /// The meanings of the terms in reports.
    case glossary
    /// The frames of a flame graph, which can be opened one by one.
    ///
    /// Only HTML pages have them. For other forms there is a file of folded stacks.
    case frames(FrameOutline)
    /// Optional content under a title, folded if the form supports that.
    case folded(String, [Block])
  }

  private(set) var blocks: [Block] = []

  mutating func open(_ opening: Opening) { blocks.append(.opening(opening)) }

  /// A heading in plain text.
  mutating func heading(_ level: Int, _ title: String) { blocks.append(.heading(min(max(level, 1), 6), title)) }

  /// A paragraph; adds nothing if it is empty.
  mutating func paragraph(_ markdown: String) {
    if !markdown.allSatisfy(\.isWhitespace) { blocks.append(.paragraph(markdown)) }
  }

  /// A list with indented sublists; adds nothing if it is empty.
  mutating func list(_ items: [ListItem]) {
    if !items.isEmpty { blocks.append(.list(items)) }
  }

  /// Preformatted text.
  mutating func fence(_ text: String, language: String = "") {
    var body = text.withoutControls[...]
    while body.last?.isNewline == true { body.removeLast() }
    blocks.append(.fence(String(body), language: language))
  }

  /// A table and, below it, the reasons for missing figures.
  mutating func table(_ table: Table) {
    blocks.append(.table(table))
    if table.notes.isEmpty { return }
    paragraph(table.hasDashes ? "Not measured (—):" : "Not measured:")
    list(table.notes)
  }

  /// Notices for the reader; adds nothing if there are none.
  mutating func notices(_ notices: [Notice]) {
    if !notices.isEmpty { blocks.append(.notices(notices)) }
  }

  /// The meanings of the terms in reports.
  ///
  /// Tables in HTML link to them.
  mutating func glossary() {
    heading(2, "Glossary")
    blocks.append(.glossary)
  }

  /// Facts about the machine; adds nothing if there are none.
  mutating func machine(_ facts: [EnvironmentFact]) {
    if facts.isEmpty { return }
    heading(2, "The machine")
    var table = Table(facts: "Fact")
    for fact in facts { table.append(fact.name.uppercasedFirst, [.text(fact.value)]) }
    self.table(table)
  }

  /// A picture, if there is one.
  mutating func picture(_ picture: Picture?) {
    if let picture { blocks.append(.picture(picture)) }
  }

  /// A flame graph, and its frames to open one by one.
  mutating func flames(_ picture: Picture?) {
    self.picture(picture)
    if let graph = picture?.chart as? FlameGraph, let outline = FrameOutline(graph) { blocks.append(.frames(outline)) }
  }

  /// All pictures, including folded ones.
  ///
  /// Each becomes a file next to the Markdown file; a picture that is shown twice is one file.
  var pictures: [Picture] {
    var paths: Set<String> = []
    return Document.pictures(in: blocks).filter { paths.insert($0.path).inserted }
  }

  private static func pictures(in blocks: [Block]) -> [Picture] {
    blocks.flatMap { block -> [Picture] in
      switch block {
      case .picture(let picture): return [picture]
      case .folded(_, let blocks): return pictures(in: blocks)
      default: return []
      }
    }
  }

  /// The same document with pictures in another folder, a path relative to the page's folder; without pictures if the
  /// path is `nil`.
  func findingPictures(in folder: String?) -> Document {
    var document = self
    document.blocks = Document.findingPictures(in: folder, blocks)
    return document
  }

  private static func findingPictures(in folder: String?, _ blocks: [Block]) -> [Block] {
    blocks.compactMap { block -> Block? in
      switch block {
      case .picture(var picture):
        guard let folder else { return nil }
        picture.folder = [folder, picture.folder].filter { !$0.isEmpty }.joined(separator: "/")
        return .picture(picture)
      case .folded(let title, let blocks): return .folded(title, findingPictures(in: folder, blocks))
      default: return block
      }
    }
  }

  /// Blocks under a title that are hidden until the reader opens them.
  mutating func fold(_ title: String, _ add: (inout Document) -> Void) {
    var folded = Document()
    add(&folded)
    if !folded.blocks.isEmpty { blocks.append(.folded(title, folded.blocks)) }
  }
}

/// The beginning of a page: enough to act on without reading further.
struct Opening {
  /// The subject of the page or its part in plain text, which is the scenario's name.
  var name: String
  /// What was measured, on what machine and when, in plain text.
  var facts: [String] = []
  /// The verdict in a sentence without a full stop, in Markdown.
  var verdict: String
  /// The question in plain text; empty if there is none.
  var question = ""
  var level = 1
}

/// A picture with its file name.
struct Picture {
  /// The name without folder and extension.
  ///
  /// Its characters need no quoting anywhere.
  var name: String
  var chart: any Chart

  init(_ parts: String..., chart: any Chart) {
    // Names of scenarios may differ only in case.
    let name = parts.joined(separator: "-")
    self.name = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._".contains($0)) ? $0 : "-" })
    self.chart = chart
  }

  /// The folder, relative to the page's folder; empty for the page's folder itself.
  var folder = "charts"

  /// The path in Markdown, relative to the page's folder.
  var path: String { folder.isEmpty ? "\(name).svg" : "\(folder)/\(name).svg" }
}

/// Something that a reader must know, in one line with details.
struct Notice {
  /// The line, in Markdown.
  var line: String
  /// Details in Markdown, folded if the form supports that.
  var details: [String] = []
}

/// An item of a list.
struct ListItem {
  var text: String
  var items: [String] = []

  init(_ text: String, _ items: [String] = []) {
    self.text = text
    self.items = items
  }
}

/// The form of a page on standard output.
package enum PageForm: Sendable {
  case markdown
  /// Lines of at most `width` characters, with tables in columns.
  case terminal(width: Int, isASCII: Bool)
}
