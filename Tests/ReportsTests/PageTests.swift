// Pages of HTML: complete, well-formed and self-contained, and not controlled by their contents.
import Analysis
import Charts
import Foundation
import MissionTags
@testable import Reports
import BatchmarkEngine
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("A5 · pages", .tags(.a5))
struct PageTests {
  private static let names = [
    "standard", "update", "troubled", "scaling", "several", "pair", "compare", "profile", "inspection",
  ]

  @Test("A page is well-formed, loads nothing, and every link in it has a target", arguments: names)
  func whole(name: String) throws {
    let html = try #require(try SamplePages.all.get().first { $0.name == name }?.html)
    let page = try #require(PageReading(html), "not well-formed")
    #expect(page.names.isDisjoint(with: ["script", "link", "iframe", "img", "object", "embed", "foreignObject"]))
    #expect(!html.contains("url(") && !html.contains("@import") && !html.contains("javascript:"))
    let links = page.values(of: "href")
    #expect(links.allSatisfy { $0.hasPrefix("#") }, "\(links)")
    let ids = page.values(of: "id")
    #expect(Set(ids).count == ids.count, "an id is there twice")
    #expect(links.allSatisfy { ids.contains(String($0.dropFirst())) })
    #expect(
      page.values(of: "aria-labelledby").allSatisfy { $0.split(separator: " ").allSatisfy { ids.contains(String($0)) } }
    )
    #expect(page.values(of: "style").isEmpty)
    #expect(page.count(of: "svg") == 2 * page.count(of: "figure"))
    #expect(page.count(of: "figure") > (["compare", "inspection"].contains(name) ? -1 : 1))
    #expect(page.count(of: "h1") == 1 && page.count(of: "main") == 1)
    // A single heading needs no table of contents.
    #expect(page.count(of: "nav") == (name == "compare" ? 0 : 1))
  }

  @Test("Foreign text changes no element of a page", arguments: HostileText.all)
  func hostile(text: String) throws {
    // The words in a title depend on the lengths of names.
    let word = String(repeating: "w", count: max(Markdown.plain(Markdown.code(text)).count, 1))
    let harmless = try #require(PageReading(RunReport.html(HostileText.results(with: word))))
    let html = RunReport.html(HostileText.results(with: text))
    let page = try #require(PageReading(html), "\(text.debugDescription)")
    // The contents of pictures depend on the widths of words.
    #expect(page.outline == harmless.outline, "\(text.debugDescription)")
    #expect(!html.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t" })
  }

  @Test("The first screen has the question, the choice, by how much, the machine and the number of rows")
  func opening() throws {
    let text = try #require(PageReading(RunReport.html(Fixture.standard.results))).text
    let first = text.prefix(1_600)
    for part in [
      "100,000\u{A0}rows", "8 rounds", "is fastest", "Asked: ", "times the heap",
      "takes 1.27\u{A0}times as long",
    ] {
      #expect(first.contains(part), "\(part) in \(first)")
    }
  }
}

extension PageTests {
  @Test(
    "The picture of the figure in question is on the page once",
    arguments: [(MetricID.heapPeak, "Heap peak of ingest"), (.walPeak, "Growth of the WAL")])
  func pictureOnce(about: MetricID, title: String) throws {
    var fixture = Fixture.standard
    fixture.about = about
    let html = RunReport.html(fixture.results)
    #expect(html.components(separatedBy: "<figcaption>\(title)</figcaption>").count == 2)
    let ids = try #require(PageReading(html)).values(of: "id")
    #expect(Set(ids).count == ids.count, "an id is there twice")
  }
}

extension PageTests {
  @Test(
    "Equal warnings share one line in a box below the answer, which expands to their cells, and appear nowhere else")
  func warnings() throws {
    let results = Fixture.standard.results
    let html = RunReport.html(results)
    let box = try #require(html.firstRange(of: "<aside role=\"note\">")).lowerBound
    let end = try #require(html.firstRange(of: "</aside>")).upperBound
    let next = try #require(html.firstRange(of: "<h2 id=\"time\">")).lowerBound
    let answer = try #require(html.firstRange(of: "Asked: ")).lowerBound
    #expect(answer < box && end < next)
    #expect(html[box..<end].contains("<details><summary><strong>Noisy times</strong> (5 cells). Stop other programs"))
    #expect(html[box..<end].components(separatedBy: "<li>").count == 6)
    #expect(!html[..<box].contains("Noisy times") && !html[end...].contains("Noisy times"))
    #expect(!html[end...].contains("Stop other programs"))
  }

  @Test("A warning about one cell does not expand")
  func oneWarning() {
    var fixture = Fixture.standard
    fixture.cells = [fixture.cells[0]]
    let html = RunReport.html(fixture.results)
    #expect(
      html.contains("<aside role=\"note\"><p><strong>Noisy times.</strong> <code>save</code>: the interval reaches"))
  }

  @Test(
    "Options and commands of advice are code, with the values of the options",
    arguments: [
      ("Take more with --rounds, or use batchmark pair.", "Take more with `--rounds`, or use `batchmark pair`."),
      ("Warm up, with --set warm_up=all, or *wait*", "Warm up, with `--set warm_up=all`, or \\*wait\\*"),
      ("Use batchmark pair with --set-aside 5%", "Use `batchmark pair` with `--set-aside 5%`"),
    ])
  func advice(text: String, markdown: String) { #expect(Markdown.advice(text) == markdown) }

  @Test("A picture has its title above it, and a legend for whiskers and dots")
  func captions() {
    let html = RunReport.html(Fixture.standard.results)
    let figures = html.components(separatedBy: "<figure>").dropFirst()
    #expect(!figures.isEmpty && figures.allSatisfy { $0.hasPrefix("<figcaption>") })
    #expect(html.contains("<figure><figcaption>Time of ingest</figcaption>"))
    #expect(html.contains(">95 % interval of the median</text>") && html.contains(">single rounds</text>"))
    #expect(!RunReport.html(Fixture.standard.rounds(3).results).contains("95 % interval of the median"))
  }
}

extension PageTests {
  @Test("Phases and memory are sorted by the subject of their sections, the smallest first")
  func sorted() throws {
    var fixture = Fixture.standard
    fixture["batch-objects"].heapPeak = 1
    let report = try #require(
      fixture.results.scenarios.first.map { ScenarioAnalysis($0).scenario })
    let phases = try #require(PhasePicture.time(report)?.chart as? StackedBarChart)
    let totals = phases.rows.map { $0.parts.reduce(0) { $0 + $1.value } }
    #expect(totals == totals.sorted() && phases.rows.first?.label == "sqlite/insert")
    let heaps = try #require(HeapPicture.peaks(report)?.chart as? StackedBarChart)
    let peaks = heaps.rows.compactMap { $0.parts.first?.value }
    #expect(peaks == peaks.sorted() && heaps.rows.first?.label == "batch-objects")
    #expect(RunReport.memoryTable(of: report).rows.first?.name == "batch-objects")
    #expect(RunReport.phaseTable(of: report).rows.first?.name == "sqlite/insert")
  }

  @Test("Facts are words and not code, and a table of few columns is as narrow as possible")
  func facts() {
    let html = RunReport.html(Fixture.standard.results)
    #expect(html.contains("<table class=\"few words\">\n<thead><tr><th scope=\"col\">Fact</th>"))
    #expect(html.contains("<th scope=\"row\">Merge policy</th>"))
  }

  @Test("Each way of saving has a sentence with the causes of its extra time, other parts, and uncertain ones")
  func appleShares() throws {
    let scenario = ScenarioAnalysis(Fixture.wwdc20.results.scenarios[0]).scenario
    let prose = Prose(scenario)
    let first = try #require(scenario.mainFindings.first { if case .appleClaim = $0.kind { true } else { false } })
    var (one, other) = (first, first)
    func shares(_ medians: [Double]) -> [Estimate] {
      medians.map { Estimate(median: $0, low: $0 - 0.02, high: $0 + 0.02) }
    }
    one.estimates = shares([5, 0.148, 0.824, 0.028])
    other.estimates = shares([5, 0.6, -0.01, 0.5])
    let start = "**Of the extra time of `save[merge=automatic,save_every=100]`**, "
    #expect(
      prose.appleShares([one, other])
        == start
        + "14.8 % [12.8, 16.8] comes from merging into the observing context, 82.4 % [80.4, 84.4] from saving in "
        + "pieces instead of once and 2.8 % [0.8, 4.8] from the insert path. " + start
        + "60.0 % [58.0, 62.0] comes from merging into the observing context and 50.0 % [48.0, 52.0] from the insert "
        + "path; none comes from saving in pieces instead of once, to within 5 %.")
    other.estimates[2] = Estimate(median: 0.1, low: -0.3, high: 0.4)
    #expect(
      prose.appleShares([other])?.hasSuffix("; the share of saving in pieces instead of once is not certain.") == true)
    one.estimates = []
    #expect(prose.appleShares([one, other]) == prose.appleShares([other]) && prose.appleShares([one]) == nil)
  }

  @Test("With too few rounds for an interval, the headline says that the result may be chance")
  func chance() throws {
    var fixture = Fixture.standard
    for index in fixture.cells.indices { fixture.cells[index].walls = [fixture.cells[index].walls[0]] }
    let line = try #require(RunReport.markdown(fixture.results).split(separator: "\n").first)
    #expect(
      line == "# `save` needs 812 times the heap of `batch-managed-object`; too few rounds to rank times")
  }
}

extension PageTests {
  @Test("In the ranking's picture a strategy has its description below its name, or its cell's parameters")
  func glosses() {
    var results = Fixture.standard.results
    results.scenarios[0].cells[0].summary =
      "A summary of what this does that is too long, far too long to be shown in whole."
    results.scenarios[0].cells[1].summary = "One that has no comma and is yet too long to be shown in whole"
    results.scenarios[0].cells[2].gloss = "what it does"
    let notes = results.scenarios[0].strategies
    #expect(
      notes.map(\.gloss).prefix(3) == [
        "A summary of what this does that is too…", "One that has no comma and is yet too lo…", "what it does",
      ])
    #expect(notes.allSatisfy { $0.gloss.count <= StrategyNote.mostOfGloss })
    #expect(RunReport.html(results).contains(">what it does</text>"))
    results.scenarios[0].cells[2].cell.parameters["request_size"] = .count(500)
    let html = RunReport.html(results)
    #expect(html.contains(">request_size=500</text>") && !html.contains(">what it does</text>"))
  }

  @Test(
    "Markdown of one line becomes HTML with the same words",
    arguments: [
      ("a **b `c*` d** e", "a <strong>b <code>c*</code> d</strong> e"), ("*x* \\*y\\*", "<em>x</em> *y*"),
      ("&lt;b> & \"q\"", "&lt;b&gt; &amp; &quot;q&quot;"), ("**open", "<strong>open</strong>"),
      ("**a *b** c*", "<strong>a <em>b</em></strong> c<em></em>"), ("`open", "`open"),
      ("12 ms, 5 %", "12\u{A0}ms, 5\u{A0}%"), ("3 [−0.4, 5], a", "3 [−0.4,\u{A0}5], a"), ("[1, or 2]", "[1, or 2]"),
      ("`linkPresentationArchivedMetadata`", "<code>link<wbr/>Presentation<wbr/>Archived<wbr/>Metadata</code>"),
      ("`--rounds 9`", "<code><span class=\"whole\">--rounds</span> 9</code>"),
      (
        "`batch-delete[levels=5,fan_out=4]`",
        "<code><span class=\"whole\">batch-delete</span><wbr/>[levels=5,<wbr/>fan_out=4]</code>"
      ),
      ("a ms", "a ms"),
    ])
  func inline(markdown: String, html: String) {
    #expect(HTML.inline(markdown) == html)
  }

  @Test("Pages have the documentation's glossary, and tables link to it")
  func glossary() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/BatchmarkCLI/BatchmarkCLI.docc/Glossary.md")
    let words = try String(contentsOf: file, encoding: .utf8).lowercased().replacing("\n", with: " ")
    for term in Glossary.terms {
      #expect(words.contains("**\(term.name)**".lowercased()), "\(term.name)")
      #expect(words.contains(term.meaning.lowercased()), "\(term.name): \(term.meaning)")
    }
    let names = Glossary.terms.map { $0.name.lowercased() }
    #expect(names == names.sorted())
    #expect(RunReport.html(Fixture.standard.results).contains("<a href=\"#term-heap-peak\">Heap peak, MiB</a>"))
  }

  @Test("Anchors consist of a title's words, and each is unique")
  func anchors() {
    var anchors = Anchors()
    #expect(anchors.enter("WAL and I/O", level: 2) == "wal-and-i-o")
    #expect(anchors.enter("WAL, and I/O!", level: 2) == "wal-and-i-o-2")
    #expect(anchors.enter("ÄÖ", level: 2) == "part")
    #expect(anchors.entries.map(\.title) == ["WAL and I/O", "WAL, and I/O!", "ÄÖ"])
  }
}

/// A page as an XML parser reads it.
private final class PageReading: NSObject, XMLParserDelegate {
  private(set) var elements: [(name: String, attributes: [String: String])] = []
  private(set) var text = ""
  /// The elements outside of pictures and styles, without those for line breaks in names.
  private(set) var outline: [String] = []
  private var skipped = 0

  /// Returns nil if it is not well-formed.
  init?(_ html: String) {
    super.init()
    let parser = XMLParser(data: Data(html.utf8))
    parser.delegate = self
    if !parser.parse() { return nil }
  }

  var names: Set<String> { Set(elements.map(\.name)) }

  func count(of name: String) -> Int { elements.count { $0.name == name } }

  func values(of attribute: String) -> [String] { elements.compactMap { $0.attributes[attribute] } }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    elements.append((name, attributes))
    if skipped == 0, !["span", "wbr"].contains(name) { outline.append(name) }
    if ["svg", "style", "nav"].contains(name) { skipped += 1 }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    if ["svg", "style", "nav"].contains(name) { skipped -= 1 }
    if !["strong", "em", "code", "span", "wbr"].contains(name), skipped == 0 { text += " " }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if skipped == 0 { text += string }
  }
}
