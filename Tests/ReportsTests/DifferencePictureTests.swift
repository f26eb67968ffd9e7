// A16: differential flame graphs: no weight of a side is lost, frames of only one side are shown, and words say the
// same as colors.
@testable import Analysis
import BatchmarkEngine
import Charts
import Foundation
import Harness
import MissionTags
@testable import Reports
import Testing

@Suite("A16 · differential flame graphs", .tags(.a16))
struct DifferencePictureTests {
  /// Only head has `sort` and only base has `plan`; both have `step`, with more on head.
  private static let stacks = SideStacks(
    base: ["_start;main;A.run(B);A.step()": 400, "_start;main;A.run(B);A.plan()": 100, "_start;main;A.run(B)": 20],
    head: [
      "_start;main;A.run(B);A.step();sqlite3_step": 700, "_start;main;A.run(B);A.sort()": 200, "_start;other": 5,
      "_start;main;A.run(B)": 22,
    ])

  private func graph(
    _ width: DifferencePicture.Width, _ stacks: SideStacks = stacks, _ kind: DifferencePicture.Kind = .time
  ) throws -> FlameGraph {
    let picture = try #require(DifferencePicture(stacks, kind, number: 2)).picture(width)
    #expect(picture.path == "charts/pair-2-\(kind.rawValue)-\(width.rawValue).svg")
    return try #require(picture.chart as? FlameGraph)
  }

  private func frames(_ frame: FlameGraph.Frame) -> [FlameGraph.Frame] { [frame] + frame.children.flatMap(frames) }

  @Test("Counts of frames add up to the totals of both sides, and no frame has more than its caller")
  func totals() throws {
    let tree = StackTree(Self.stacks)
    #expect(tree.weights == StackTree.Weights(base: 520, head: 927) && tree.total == tree.weights)
    for (width, total) in [(DifferencePicture.Width.base, 520.0), (.head, 927)] {
      let root = try graph(width).root
      #expect(root.weight == total)
      for frame in frames(root) { #expect(frame.children.map(\.weight).reduce(0, +) <= frame.weight) }
    }
    // The same for stacks of every shape: the drawn weights of a side are its own.
    var generator = SystemRandomNumberGenerator()
    var random = SideStacks()
    for _ in 0..<200 {
      let stack = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        "f\(Int.random(in: 0...3, using: &generator))"
      }
      random.base[stack.joined(separator: ";")] = Int.random(in: 0...50, using: &generator)
      random.head[stack.shuffled(using: &generator).joined(separator: ";")] = Int.random(in: 0...50, using: &generator)
    }
    let mixed = StackTree(random)
    #expect(mixed.total.base == random.base.values.reduce(0, +))
    #expect(mixed.total.head == random.head.values.reduce(0, +))
  }

  @Test("Frames of only one side are drawn with that side's width, and both pictures say so in words")
  func directions() throws {
    func notes(_ width: DifferencePicture.Width) throws -> [String: String] {
      Dictionary(frames(try graph(width).root).map { ($0.name, $0.note) }, uniquingKeysWith: { first, _ in first })
    }
    let (head, base) = (try notes(.head), try notes(.base))
    #expect(head["A.sort"] == "base has none, only on head" && base["A.sort"] == nil)
    #expect(base["A.plan"] == "head has none, only on base" && head["A.plan"] == nil)
    #expect(head["A.step"] == "base has 400 samples, more on head")
    #expect(base["A.step"] == "head has 700 samples, more on head")
    // Five samples compared with none may be chance.
    #expect(head["other"] == "base has none, no difference shown")
  }

  @Test("The legend, the colors and the hints agree, in a file without a script")
  func colors() throws {
    let graph = try graph(.head)
    #expect(
      graph.legend.map(\.label) == [
        "only on head", "more on head", "no difference shown", "less on head", "only on base",
      ])
    for frame in frames(graph.root) {
      let entry = try #require(graph.legend.first { frame.note.hasSuffix($0.label) })
      #expect(entry.appearance == frame.appearance)
    }
    #expect(Set(graph.legend.map(\.appearance)).count == graph.legend.count)
    let file = graph.file()
    #expect(file.contains("A.sort: ") && file.contains("base has none, only on head") && !file.contains("<script"))
  }

  @Test("Bytes may scatter by as much as one sample represents")
  func bytes() throws {
    let mebibyte = 1 << 20
    let stacks = SideStacks(
      base: ["m;a": 10 * mebibyte, "m;b": 10 * mebibyte], head: ["m;a": 11 * mebibyte, "m;b": 40 * mebibyte])
    let notes = frames(try graph(.head, stacks, .allocations).root).filter { $0.children.isEmpty }.map(\.note)
    #expect(notes == ["base has 10.0 MiB, no difference shown", "base has 10.0 MiB, more on head"])
    #expect(DifferencePicture(SideStacks(base: [:], head: ["a": 1]), .time, number: 1) == nil)
  }
}

extension PairReportTests {
  @Test("An explained pair has flame graphs of both sides, folded away, and their stacks as files")
  func flames() throws {
    func trial(_ instrument: ProfileInstrument, _ change: (inout PhaseProfile) -> Void) -> ProfiledTrial {
      var phase = PhaseMeasurement(phase: .ingest, rows: 10, wallSeconds: 1, metrics: [:])
      var profile = PhaseProfile()
      change(&profile)
      phase.profile = profile
      return ProfiledTrial(instrument, phase)
    }
    var comparison = comparison(1.2)
    comparison.profiles = PairProfiles(
      base: [
        trial(.stacks) { $0.stacks = ["a;b": 300] }, trial(.stacks) { $0.stacks = ["a;b": 200] },
        trial(.heap) { $0.heapStacks = ["a;b": 4096] },
      ],
      head: [
        trial(.stacks) { $0.stacks = ["a;b": 400, "a;c": 9] }, trial(.stacks) { $0.stacks = ["a;b": 200] },
        trial(.heap) { $0.heapStacks = ["a;b": 8192] },
      ])
    let files = PairReportWriter.stackFiles(of: comparison, number: 1)
    #expect(
      files.map(\.name) == [
        "pair-1-time-base.folded", "pair-1-time-head.folded", "pair-1-allocations-base.folded",
        "pair-1-allocations-head.folded",
      ])
    #expect(files.map(\.text) == ["a;b 500\n", "a;b 600\na;c 9\n", "a;b 4096\n", "a;b 8192\n"])
    let document = PairMarkdown.document(results([comparison]), hasPictures: true)
    #expect(
      document.pictures.map(\.path) == [
        "charts/pair-1.svg", "charts/pair-1-time-head.svg", "charts/pair-1-time-base.svg",
        "charts/pair-1-allocations-head.svg", "charts/pair-1-allocations-base.svg",
      ])
    let page = Page(title: "t", document: document).html
    #expect(page.contains("Flame graphs of both sides") && !page.contains("<script"))
    #expect(page.contains("base has 500 samples, "))
    // A comment has no pictures.
    #expect(!PairMarkdown.render(results([comparison])).contains("Flame graphs"))
  }
}
