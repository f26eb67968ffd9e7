// Rules for every picture: well-formed, named, legible, without overlaps, and with nothing that loads or runs.
import Foundation
import MissionTags
import Support
import Testing

@testable import Charts

@Suite("A5 · every picture", .tags(.a5))
struct PictureTests {
  private func check(_ svg: String, file: Bool) throws -> SVGElement {
    let root = try SVGElement.parse(svg)
    #expect(root.name == "svg" && root.attributes["role"] == "img")
    let ids = root.attributes["aria-labelledby", default: ""].split(separator: " ").map(String.init)
    let named = root.children.prefix(2).map { $0.attributes["id"] }
    #expect(named == ids && root.children.prefix(2).map(\.name) == ["title", "desc"])
    let allowed: Set = ["svg", "title", "desc", "g", "path", "line", "rect", "text"]
    #expect(Set(root.all.map(\.name)).isSubset(of: file ? allowed.union(["style"]) : allowed))
    let numeric: Set = ["x", "y", "x1", "x2", "y1", "y2", "width", "height"]
    let wrong = root.all.flatMap { element in
      element.attributes.filter { name, value in
        if numeric.contains(name) { return Double(value)?.isFinite != true || value.contains("e") }
        if name == "class" { return !element.classes.allSatisfy { $0.hasPrefix("c-") } }
        return name.hasPrefix("on") || name == "href" || name == "style"
          || (name == "d" && (value.contains("n") || value.contains("i")))
      }
    }
    #expect(wrong.isEmpty)
    return root
  }

  @Test("The file is well-formed with any figures and words", arguments: 0..<25, [860.0, 358, -1])
  func hostile(seed: UInt64, width: Double) throws {
    var source = SplitMix64(seed: seed)
    let charts = Samples.charts(&source) { source in
      Bool.random(using: &source)
        ? Samples.extremes.randomElement(using: &source) ?? 0 : .random(in: -1e3...1e3, using: &source)
    } words: {
      Samples.hostile.randomElement(using: &$0) ?? ""
    }
    try #require(!charts.isEmpty)
    for chart in charts {
      _ = try check(chart.svg(width: width, identifier: "a\"><b \(seed)"), file: false)
      _ = try check(chart.file(width: width), file: true)
    }
  }

  @Test("An impossible width becomes a possible one", arguments: [.nan, .infinity, -1, 0, 1e300])
  func widths(width: Double) throws {
    let chart = IntervalChart(title: "title", summary: "summary", axis: Samples.axis(), rows: [])
    let drawn = try check(chart.svg(width: width, identifier: "a"), file: false)["width"]
    #expect(drawn == (width.isFinite ? min(max(width, 240), 4000) : 860))
  }

  @Test("Texts of a file are read back unchanged, except for characters that XML forbids")
  func words() throws {
    for (word, expected) in [
      ("a & b < c > \"d\" 'e'", "a & b < c > \"d\" 'e'"), ("</title><script>", "</title><script>"),
      ("a\u{0}b", "a\u{FFFD}b"),
      ("##[error]x ###[y] #[z]", "##[error]x ###[y] #[z]"),
      ("a\nb", "a b"), ("\u{FFFE}\u{FFFF}", "\u{FFFD}\u{FFFD}"), ("\u{202E}a", "\u{FFFD}a"), ("漢字 é 👩‍👧", "漢字 é 👩‍👧"),
    ] {
      let chart = IntervalChart(title: word, summary: word, axis: Samples.axis(), rows: [])
      let root = try SVGElement.parse(chart.file())
      #expect(!chart.file().contains("##["), "a command of a CI's runner")
      #expect(root.children[0].text == expected && root.children[1].text == expected)
    }
  }

  @Test("Numbers are rounded to a tenth, and are numbers")
  func numbers() {
    let known: [(Double, String)] = [
      (0, "0"), (-0.0, "0"), (1, "1"), (1.26, "1.3"), (-1.26, "-1.3"), (0.04, "0"), (-0.04, "0"), (0.05, "0.1"),
      (-0.5, "-0.5"), (859.96, "860"), (.nan, "0"), (.infinity, "0"), (1e300, "1000000"), (-1e300, "-1000000"),
    ]
    for (value, text) in known { #expect(XML.number(value) == text) }
  }
}

extension PictureTests {
  @Test("No text is cut by the edge and no two texts overlap", arguments: 0..<40, [860.0, 640, 358])
  func overlap(seed: UInt64, width: Double) throws {
    var source = SplitMix64(seed: seed &+ 1000)
    let names = [
      "save", "sqlite/insert-many", "batch insert of an array of dictionaries", "63 ms", "1.07×",
      "save[merge=automatic, save_every=1000, journal=wal]", "", "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
      "reference",
    ]
    let charts = Samples.charts(&source) {
      pow(10, .random(in: -3...3, using: &$0))
    } words: {
      names.randomElement(using: &$0) ?? ""
    }
    try #require(!charts.isEmpty)
    for chart in charts {
      let root = try check(chart.svg(width: width, identifier: "a"), file: false)
      let (wide, high) = (root["width"], root["height"])
      let boxes = root.all.filter { $0.name == "text" }.map(box)
      let cut = boxes.filter { $0.left < -0.2 || $0.right > wide + 0.2 || $0.top < -0.2 || $0.bottom > high + 0.2 }
      #expect(cut.isEmpty, "\(type(of: chart))")
      let pairs = boxes.indices.flatMap { index in
        boxes[..<index].filter { $0.overlaps(boxes[index]) }.map { [$0, boxes[index]] }
      }
      #expect(pairs.isEmpty, "\(type(of: chart))")
    }
  }

  private struct Box {
    var left, right, top, bottom: Double
    var words: String

    func overlaps(_ other: Box) -> Bool {
      right > other.left + 0.2 && other.right > left + 0.2 && bottom > other.top + 0.2 && other.bottom > top + 0.2
    }
  }

  private func box(_ text: SVGElement) -> Box {
    let style = TextStyle.allCases.first { text.classes.contains(Substring("c-" + $0.rawValue)) } ?? .tick
    let width = style.width(text.words), x = text["x"]
    let left =
      switch text.attributes["text-anchor"] {
      case "middle": x - width / 2
      case "end": x - width
      default: x
      }
    // From the top of capital letters to the bottom of a y.
    return Box(
      left: left, right: left + width, top: text["y"] - style.size * 0.75, bottom: text["y"] + style.size * 0.22,
      words: text.words)
  }

  @Test("A text is shortened in its middle, and its title has the whole text")
  func shortening() throws {
    let long = "save[merge=automatic, save_every=1000, journal=wal, page_size=4096]"
    let fitted = TextStyle.label.fitted(long, room: 200)
    #expect(TextStyle.label.width(fitted) <= 200 && TextStyle.label.width(fitted) > 190)
    #expect(fitted.hasPrefix("save[merge=") && fitted.hasSuffix("=4096]") && fitted.contains("…"))
    #expect(TextStyle.label.fitted("save", room: 200) == "save")
    // There is no place for a line break.
    let word = String(repeating: "save", count: 20)
    let chart = IntervalChart(
      title: "title", summary: "summary", axis: Samples.axis(),
      rows: [.init(label: word, value: 1, appearance: Samples.look)])
    let label = try #require(SVGElement.parse(chart.svg(width: 640, identifier: "a")).with("c-label").first)
    #expect(label.title == word && label.words.contains("…"))
  }

  @Test("A file has its own style and background; an element of a page has neither")
  func style() throws {
    let chart = IntervalChart(title: "title", summary: "summary", axis: Samples.axis(), rows: [])
    let file = try SVGElement.parse(chart.file(width: 500))
    #expect(file.all.contains { $0.name == "style" } && file.with("c-bg").count == 1)
    #expect(file.attributes["xmlns"] == "http://www.w3.org/2000/svg")
    #expect(file.attributes["viewBox"] == "-16 -16 532 \(Int(file["height"]))" && file["width"] == 532)
    let element = try SVGElement.parse(chart.svg(width: 500, identifier: "x"))
    #expect(!element.all.contains { $0.name == "style" } && element.with("c-bg").isEmpty && element["width"] == 500)
    #expect(!ChartStyle.css.contains("url(") && !ChartStyle.css.contains("@import") && !ChartStyle.css.contains("<"))
    #expect(TextStyle.allCases.allSatisfy { $0.size >= 12 })
  }

  @Test("Equal figures give equal bytes")
  func same() {
    for seed in 0..<5 as Range<UInt64> {
      var (first, second) = (SplitMix64(seed: seed), SplitMix64(seed: seed))
      let charts = [
        Samples.charts(&first, value: { .random(in: 1...9, using: &$0) }, words: { _ in "word" }),
        Samples.charts(&second, value: { .random(in: 1...9, using: &$0) }, words: { _ in "word" }),
      ]
      #expect(charts[0].map { $0.file() } == charts[1].map { $0.file() })
    }
  }
}

@Suite("A5 · colors", .tags(.a5))
struct ColorTests {
  /// The contrast according to WCAG 2.
  private func contrast(_ one: Color, _ other: Color) -> Double {
    func luminance(_ color: Color) -> Double {
      func linear(_ part: Int) -> Double {
        let value = Double(part) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }
    let (a, b) = (luminance(one), luminance(other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  @Test("Text has a contrast of 4.5 to 1 and outlines of 3 to 1, in light and in dark mode", arguments: [false, true])
  func contrasts(isDark: Bool) {
    let palette = isDark ? Palette.dark : .light
    #expect(contrast(palette.ink, palette.paper) > 7 && contrast(palette.soft, palette.paper) > 4.5)
    #expect(palette.entries.count == Palette.colors.count)
    for entry in palette.entries {
      #expect(contrast(entry.edge, palette.paper) >= 3 && contrast(entry.inside, entry.fill) >= 4.5)
      let muted = palette.muted(entry)
      #expect(contrast(muted.inside, muted.fill) >= 4.5)
    }
    #expect(ChartStyle.css.contains(palette.ink.css) && ChartStyle.css.contains(palette.entries[5].edge.css))
  }

  @Test("Any index has a color, and six in a row differ in color and in shape")
  func indices() {
    for color in [Int.min, -1, 0, 6, .max] {
      #expect(ChartStyle.css.contains("." + Appearance(color: color).colorClass + "{"))
    }
    let six = (0..<6).map { Appearance(index: $0) }
    #expect(Set(six.map(\.shape)).count == 6 && Set(six.map(\.colorClass)).count == 6)
    #expect(Appearance(index: 6).isMuted && Appearance(index: 12) == Appearance(index: 0).with(color: 12))
  }
}

extension Appearance {
  fileprivate func with(color: Int) -> Appearance { Appearance(color: color, shape: shape, isMuted: isMuted) }
}
