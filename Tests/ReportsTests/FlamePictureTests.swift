// Flame graphs of profiles: names are shortened to those that people use, and frames that all stacks share are folded.
import Analysis
import Charts
import Foundation
import MissionTags
@testable import Reports
import Testing

@Suite("A9 · flame graphs", .tags(.a9))
struct FlamePictureTests {
  @Test(
    "A name loses its arguments, results, specializations and private marks",
    arguments: [
      ("Harness.SampleTaker.take(Harness.SampleJob) throws -> Harness.Sample", "Harness.SampleTaker.take"),
      (
        "function signature specialization <Arg[1] = Dead> of static BatchmarkCLI.Batchmark.(run in _293AF174)"
          + "(Swift.Array<Swift.String>) -> Harness.CommandStatus", "BatchmarkCLI.Batchmark.run"
      ),
      (
        "function signature specialization <Arg[2] = Owned> of generic specialization <Swift.Int, A.B<C>> of A.f<A>(A) -> ()",
        "A.f"
      ),
      (
        "protocol witness for A.P.run() throws -> () in conformance B.C : A.P in B", "A.P.run"
      ), ("closure #1 (Swift.Int) -> () in closure #2 in A.b(c: D) -> E", "closure in closure in A.b"),
      ("closure #1 () -> () in A.(b in _12)(c: D)", "closure in A.b"), ("sqlite3VdbeExec", "sqlite3VdbeExec"),
      ("[libc.so.6]", "[libc.so.6]"),
      (
        "function signature specialization <Arg[2] = [Closure Propagated : $s1A, Argument Types : [A.(B in _95){ var C }Swift.Int]> "
          + "of function signature specialization <Arg[1] = [Closure Propagated : $s1B, Argument Types : []> of A.b(c: () -> ()) -> ()",
        "A.b"
      ),
      ("reabstraction thunk helper from @escaping () -> ()", "reabstraction thunk"),
      ("(extension in A):B.C.d(e: F) -> G", "B.C.d"),
      ("std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector::push_back"),
      ("", ""), ("(", "("), ("<", "<"), ("closure #", "closure"),
    ])
  func names(name: String, short: String) {
    #expect(FrameName.short(name) == short)
  }

  @Test(
    "A frame belongs to its module",
    arguments: [
      ("Harness.SampleTaker.take", "Harness"), ("sqlite3_step", "SQLite"), ("[libc.so.6]", "libc"),
      ("[libsqlite3.so.0]", "SQLite"), ("memcpy", "C"),
      ("closure in Engines.A.b", "Engines"), ("_start", "C"),
    ])
  func modules(name: String, module: String) {
    #expect(FrameName.module(name) == module)
  }

  @Test("Frames that nearly all stacks share are left out except for the last, and weights add up")
  func tree() throws {
    let stacks = [
      "_start;main;A.work();A.store(B);sqlite3_step": 30, "_start;main;A.work();A.store(B)": 10,
      "_start;main;A.work();B.bind(C);memcpy": 60, "_start;main;A.work();B.bind(D)": 0,
    ]
    let picture = try #require(FlamePicture.picture(stacks, name: "ingest", title: "t") { "\(Int($0)) samples" })
    #expect(picture.path == "ingest.svg")
    let graph = try #require(picture.chart as? FlameGraph)
    #expect(graph.root.name == "A.work" && graph.root.weight == 100)
    #expect(graph.root.children.map(\.name) == ["A.store", "B.bind"])
    #expect(graph.root.children.map(\.weight) == [40, 60])
    #expect(graph.root.children[0].children.map(\.name) == ["sqlite3_step"])
    // By their own weights: 60 in C, 30 in SQLite, 10 in A, none in B.
    #expect(graph.legend.map(\.label) == ["C", "SQLite", "A"])
    #expect(
      graph.root.children[0].children[0].appearance.color == 1
        && graph.root.children[1].children[0].appearance.color == 0)
    #expect(graph.summary == "100 samples in all, most of it in code of C, SQLite and A.")
  }
}

extension FlamePictureTests {
  @Test("Every color of a flame graph is in its legend, as pale as the frames")
  func legend() throws {
    let stacks = Dictionary(uniqueKeysWithValues: ["A", "B", "C1", "D", "E", "F", "G"].map { ("r;\($0).f", 1) })
    let picture = try #require(FlamePicture.picture(stacks, name: "a", title: "t") { "\($0)" })
    let graph = try #require(picture.chart as? FlameGraph)
    #expect(graph.legend.map(\.label) == ["A", "B", "C1", "D", "E", "others"])
    #expect(graph.legend.filter { !$0.appearance.isMuted }.isEmpty)
    #expect(Set(graph.root.children.map(\.appearance.color)) == Set(graph.legend.map(\.appearance.color)))
  }

  @Test("Frames that branch off from the common ones stand beside them, and none is missing")
  func branches() throws {
    let stacks = ["a;b;c;d;x": 50, "a;b;c;d;y": 45, "a;b;z": 3, "lost": 1, "a;b": 1]
    let picture = try #require(FlamePicture.picture(stacks, name: "a", title: "t") { "\($0)" })
    let root = try #require(picture.chart as? FlameGraph).root
    #expect(root.name == "all" && root.weight == 100)
    #expect(root.children.map(\.name) == ["b", "d", "lost", "z"])
    #expect(root.children.map(\.weight) == [1, 95, 1, 3])
  }

  @Test("An unnamed function of the executable counts for its caller")
  func nameless() throws {
    let stacks = ["a;[exe];b": 6, "a;c;[exe]": 4]
    let picture = try #require(FlamePicture.picture(stacks, name: "a", title: "t") { "\($0)" })
    let root = try #require(picture.chart as? FlameGraph).root
    #expect(root.name == "a" && root.children.map(\.name) == ["b", "c"] && root.children.map(\.weight) == [6, 4])
  }
}

extension FlamePictureTests {
  @Test("Stacks without any names share one frame, and count once")
  func namelessStacks() throws {
    let stacks = ["[exe];[exe]": 2, "a;b": 98]
    let picture = try #require(FlamePicture.picture(stacks, name: "a", title: "t") { "\(Int($0)) samples" })
    let root = try #require(picture.chart as? FlameGraph).root
    #expect(root.children.map(\.name) == ["[exe]", "b"] && root.children.map(\.weight) == [2, 98])
    #expect(StackTree(SideStacks(head: stacks)).total.head == 100)
    let bare = try #require(FlamePicture.picture(["[exe]": 5], name: "a", title: "t") { "\(Int($0)) samples" })
    #expect((bare.chart as? FlameGraph)?.summary == "5 samples in all, most of it in code of exe.")
  }
}

extension FlamePictureTests {
  @Test("A stack deeper than any sampler's, and a name longer than any, have a picture too")
  func depth() throws {
    let stacks = [String(repeating: "A.f;B.g;", count: 50_000) + "sqlite3_step": 7, "_start;C1.h": 3]
    let picture = try #require(FlamePicture.picture(stacks, name: "a", title: "t") { "\($0)" })
    #expect((picture.chart as? FlameGraph)?.root.weight == 10)
    let name = FrameName.short(String(repeating: "closure #1 in ", count: 100_000) + "A.b")
    #expect(name.hasPrefix("closure in closure in ") && name.count < 4_000)
  }

  @Test("A picture is drawn of one stack, and none without stacks")
  func edges() throws {
    #expect(FlamePicture.picture([:], name: "a", title: "t") { "\($0)" } == nil)
    #expect(FlamePicture.picture(["a;b": 0], name: "a", title: "t") { "\($0)" } == nil)
    let one = try #require(FlamePicture.picture(["a;b;c": 5], name: "a", title: "t") { "\($0)" })
    let graph = try #require(one.chart as? FlameGraph)
    #expect(graph.root.name == "c" && graph.root.weight == 5)
    let two = try #require(FlamePicture.picture(["a": 1, "b": 2], name: "a", title: "t") { "\($0)" })
    #expect((two.chart as? FlameGraph)?.root.name == "all")
  }

  @Test("Frames open one by one, the most frequent first, with the hot path open from the start")
  func outline() throws {
    let stacks = ["a;b;h&t;x": 60, "a;b;cold;y": 39, "a;b;cold;z": 1, "a;b;rare": 0]
    let picture = try #require(FlamePicture.picture(stacks, name: "a", title: "Where") { "\(Int($0)) samples" })
    let graph = try #require(picture.chart as? FlameGraph)
    let outline = try #require(FrameOutline(graph))
    let lines = outline.html.split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "<details class=\"frames\"><summary>Where, frame by frame</summary>",
        "<details open=\"open\"><summary><b>100\u{A0}%</b> b<small>, 100 samples</small></summary>",
        "<details open=\"open\"><summary><b>60\u{A0}%</b> h&amp;t<small>, 60 samples</small></summary>",
        "<p><b>60\u{A0}%</b> x<small>, 60 samples</small></p>", "</details>",
        "<details><summary><b>40\u{A0}%</b> cold<small>, 40 samples</small></summary>",
        "<p><b>39\u{A0}%</b> y<small>, 39 samples</small></p>", "<p><b>1.0\u{A0}%</b> z<small>, 1 samples</small></p>",
        "</details>", "</details>", "</details>",
      ])
    var document = Document()
    document.flames(picture)
    #expect(document.markdown == "![Where](a.svg)\n", "Markdown has the picture alone")
  }

  @Test("An outline of very many frames has the largest ones, and leaves out frames without weight")
  func largeOutline() throws {
    // A path of 700 frames, in which each frame only calls the next.
    var frame = FlameGraph.Frame(name: "f", weight: 1)
    for number in 2...700 { frame = .init(name: "f", weight: Double(number), children: [frame]) }
    let outline = try #require(FrameOutline(FlameGraph(title: "t", summary: "", root: frame)))
    #expect(outline.html.split(separator: "<b>").count - 1 == FrameOutline.mostFrames)
    #expect(FrameOutline(FlameGraph(title: "t", summary: "", root: .init(name: "f", weight: 0))) == nil)
  }

  @Test("A picture that is shown twice is stored in one file")
  func twice() throws {
    let picture = try #require(FlamePicture.picture(["a": 1], name: "a", title: "t") { "\($0)" })
    var document = Document()
    document.picture(picture)
    document.fold("More") { $0.picture(picture) }
    #expect(document.pictures.map(\.path) == [picture.path])
  }
}
