// A page as a list of blocks, which is then written as Markdown, as HTML or for a terminal.
internal import Analysis
internal import Charts

/// A page under construction.
///
/// Its texts are Markdown of one line: code, bold and emphasized text.
struct Document {
  enum Block {
    /// The beginning of a page, or of one of its scenarios.
    case opening(Opening)
    case heading(Int, String)
    case paragraph(String)
    case list([ListItem])
    /// Text as it is.
    case fence(String, language: String)
    case table(Table)
    /// What a reader must know beside the answer, in a box.
    case notices([Notice])
    case picture(Picture)
    /// What the words of reports mean.
    case glossary
    /// The frames of a flame graph, to open one by one.
    ///
    /// Only pages have them: elsewhere, a file of folded stacks does.
    case frames(FrameOutline)
    /// What not every reader wants: folded away where that can be, under a title.
    case folded(String, [Block])
  }

  private(set) var blocks: [Block] = []

  mutating func open(_ opening: Opening) { blocks.append(.opening(opening)) }

  /// A heading in plain text.
  mutating func heading(_ level: Int, _ title: String) { blocks.append(.heading(min(max(level, 1), 6), title)) }

  /// A paragraph; nothing when it is empty.
  mutating func paragraph(_ markdown: String) {
    if !markdown.allSatisfy(\.isWhitespace) { blocks.append(.paragraph(markdown)) }
  }

  /// A list, in which an item's own items follow it indented; nothing when it is empty.
  mutating func list(_ items: [ListItem]) {
    if !items.isEmpty { blocks.append(.list(items)) }
  }

  /// Text as it is.
  mutating func fence(_ text: String, language: String = "") {
    var body = text.withoutControls[...]
    while body.last?.isNewline == true { body.removeLast() }
    blocks.append(.fence(String(body), language: language))
  }

  /// A table and, below it, why figures are missing.
  mutating func table(_ table: Table) {
    blocks.append(.table(table))
    if table.notes.isEmpty { return }
    paragraph(table.hasDashes ? "Not measured (—):" : "Not measured:")
    list(table.notes)
  }

  /// What a reader must know beside the answer; adds nothing if there is nothing.
  mutating func notices(_ notices: [Notice]) {
    if !notices.isEmpty { blocks.append(.notices(notices)) }
  }

  /// What the words of reports mean, to which tables of HTML link.
  mutating func glossary() {
    heading(2, "Glossary")
    blocks.append(.glossary)
  }

  /// What is known about the machine; adds nothing if nothing is known.
  mutating func machine(_ facts: [EnvironmentFact]) {
    if facts.isEmpty { return }
    heading(2, "The machine")
    var table = Table(facts: "Fact")
    for fact in facts { table.append(fact.name.uppercasedFirst, [.text(fact.value)]) }
    self.table(table)
  }

  /// A picture, where there is one.
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
  /// Each becomes a file beside Markdown; one that is shown twice is one file.
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

  /// The same with pictures that are in a folder elsewhere: a path relative to the page's; without them where it is nil.
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

  /// Blocks under a title that are not shown until they are asked for.
  mutating func fold(_ title: String, _ add: (inout Document) -> Void) {
    var folded = Document()
    add(&folded)
    if !folded.blocks.isEmpty { blocks.append(.folded(title, folded.blocks)) }
  }
}

/// What a page begins with: enough to act on without reading on.
struct Opening {
  /// What the page or its part is about, in plain text: the scenario's name.
  var name: String
  /// What was measured, on what and when, in plain text.
  var facts: [String] = []
  /// The verdict in a sentence without a full stop, in Markdown.
  var verdict: String
  /// What was asked, in plain text; empty where nothing is.
  var question = ""
  var level = 1
}

/// A picture with the name of its file.
struct Picture {
  /// Without folder and extension; of characters that need no quoting anywhere.
  var name: String
  var chart: any Chart

  init(_ parts: String..., chart: any Chart) {
    // Names of scenarios may differ in capital letters alone.
    let name = parts.joined(separator: "-")
    self.name = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._".contains($0)) ? $0 : "-" })
    self.chart = chart
  }

  /// In the page's folder; empty for the page's folder itself.
  var folder = "charts"

  /// Where Markdown finds it: a path relative to the page's folder.
  var path: String { folder.isEmpty ? "\(name).svg" : "\(folder)/\(name).svg" }
}

/// Something that a reader must know, in one line with details.
struct Notice {
  /// In Markdown.
  var line: String
  /// What it is about, in Markdown, folded away where that can be.
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
  /// In lines of at most so many characters, with tables in columns.
  case terminal(width: Int, isASCII: Bool)
}

extension Document {
  /// The page in a form.
  func text(as form: PageForm) -> String {
    switch form {
    case .markdown: markdown
    case .terminal(let width, let isASCII): text(width: width, isASCII: isASCII)
    }
  }
}
