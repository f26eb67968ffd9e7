// A7: the files of a paired comparison, from hand-made samples.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
@testable import Reports
import BatchmarkEngine
import Statistics
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("A7 · reports of pairs", .tags(.a7))
struct PairReportTests {
  private static let cell = Cell(scenario: "quakes", engine: "objectgraph", strategy: "save")

  private func sample(_ pass: Pass, seconds: Double? = nil, metrics: [MetricID: Int64] = [:], hash: String = "h")
    -> Sample
  {
    var ingest = PhaseMeasurement(phase: .ingest, rows: 10, wallSeconds: seconds, metrics: metrics)
    ingest.trialWallSeconds = seconds.map { [$0] }
    return Sample(
      cell: Self.cell.id, pass: pass, round: 1, phases: [ingest], growth: [],
      contents: StoredContents(
        rows: 10, contentHash: hash, nulls: [:], versions: [1: 10], databaseBytes: 4096, versionedHash: "v"),
      pragmas: [], notes: [], sqlite: "3.40.1", fingerprint: "f")
  }

  /// Base takes a second, and head takes that times the slowdown, slightly different in every pair.
  func comparison(
    _ slowdown: Double, syncs: Int64 = 8, isConfirmed: Bool = true, count: Int = 90
  ) -> PairComparison {
    var comparison = PairComparison(
      baseCell: Self.cell, headCell: Self.cell, baseFingerprint: "f", headFingerprint: "f")
    comparison.baseFigures = [sample(.counters, metrics: [.syncs: 8])]
    comparison.headFigures = [sample(.counters, metrics: [.syncs: syncs])]
    let pairs = (0..<count).map { number -> SamplePair in
      let own = 1 + 0.001 * Double(number % 7 - 3)
      return SamplePair(
        base: sample(.timing, seconds: 1), head: sample(.timing, seconds: slowdown * own), baseFirst: [number % 2 == 0])
    }
    comparison.pairs = pairs
    if isConfirmed { comparison.confirmation = pairs }
    return comparison
  }

  func results(_ comparisons: [PairComparison], placebos: [PairComparison] = []) -> PairResults {
    let build = BuildIdentity(version: "1", configuration: "release", executable: "abc")
    return PairResults(
      run: RunRecord(
        batchmarkVersion: "1", command: "batchmark pair", started: "", finished: "", seed: 7, isQuick: false,
        isComparable: true, isInterrupted: false), environment: [],
      rules: PairRules(looks: SequentialPlan.defaultLooks),
      base: PairSideRecord(name: "old", build: build, overrides: []),
      head: PairSideRecord(name: "new|<b>", build: build, overrides: []), comparisons: comparisons,
      placebos: placebos)
  }

  @Test(
    "The verdict on the time follows from the pairs",
    arguments: [
      (1.2, "REGRESSION", "head is slower"), (1.03, "SMALL", "head is slower, but by less than 5 %"),
      (1, "PASS", "a 5 % slow-down is ruled out"), (0.8, "IMPROVED", "head is faster"),
    ])
  func words(slowdown: Double, word: String, sentence: String) {
    let results = results([comparison(slowdown)])
    let text = lines(of: results)
    #expect(text.first?.hasPrefix("# \(word): new\\|&lt;b> against old") == true)
    #expect(text.first?.hasSuffix(" of time") == (word == "REGRESSION"))
    #expect(text.contains { $0.hasPrefix("- **\(word)**: \(sentence). Estimate ") })
    #expect(text.contains("Every exact figure is the same on both sides (1 compared)."))
    let isOpen = word != "REGRESSION"
    #expect(PairJUnit.render(results).contains("failures=\"0\"") == isOpen)
    #expect(PairAnnotations.render(results).contains("::error") == !isOpen)
    #expect(PairAnnotations.render(results).contains("::warning") == (word == "SMALL"))
  }

  @Test(
    "A change that fresh pairs do not confirm is not called noise; with too few pairs, the report says how many it needs"
  )
  func undecided() {
    let rules = results([]).rules
    var changed = comparison(1.1, isConfirmed: false)
    let first = "**INCONCLUSIVE**: head is slower in the first pairs, and "
    let alone = PairMarkdown.sentence(on: changed, rules)
    #expect(alone.hasPrefix(first + "no fresh pairs were taken to confirm it. Estimate "), "\(alone)")
    changed.confirmation = comparison(1, count: 3).pairs
    let interrupted = PairMarkdown.sentence(on: changed, rules)
    #expect(interrupted.hasPrefix(first + "too few fresh pairs were taken to confirm it. Estimate "), "\(interrupted)")
    changed.confirmation = comparison(1).pairs
    let unconfirmed = PairMarkdown.sentence(on: changed, rules)
    #expect(unconfirmed.hasPrefix(first + "fresh pairs do not confirm it. Estimate "), "\(unconfirmed)")
    #expect(unconfirmed.contains(" fresh pairs."), "\(unconfirmed)")
    let few = comparison(1, isConfirmed: false, count: 3)
    #expect(
      PairMarkdown.sentence(on: few, rules)
        == "**INCONCLUSIVE**: 3 pairs, too few to judge the time; it takes 12 or more.")
    #expect(PairAnnotations.render(results([few])).contains("INCONCLUSIVE: 3 pairs, too few to judge the time; "))
  }

  private func lines(of results: PairResults) -> [String] {
    PairMarkdown.render(results).split(separator: "\n").map(String.init)
  }

  @Test("A change beyond three margins needs no fresh pairs, and a smaller one counts only with them")
  func confirmation() {
    let rules = results([]).rules
    func verdict(_ slowdown: Double) -> Verdict { comparison(slowdown, isConfirmed: false).time(rules).verdict }
    #expect(verdict(1.5) == .regression && verdict(0.5) == .improved)
    #expect(verdict(1.1) == .inconclusive && verdict(0.9) == .inconclusive)
  }

  @Test(
    "The first table has the time and five counters, equal figures in words, and worse ones in a class of their own"
  )
  func headlines() {
    let results = results([comparison(1.2, syncs: 9), comparison(1)])
    let page = PairMarkdown.document(results, hasPictures: false)
    let header = page.markdown.split(separator: "\n").first { $0.hasPrefix("| Cell |") } ?? ""
    for title in ["Verdict", "Time", "Heap peak", "Allocations", "WAL written", "Syncs", "VM steps"] {
      #expect(header.contains(title), "\(header)")
    }
    let html = Page(title: "pair", document: page).html
    #expect(
      html.contains("<td class=\"worse\">REGRESSION</td>") && html.contains("<td class=\"number worse\">+12.5</td>"))
    #expect(html.contains(">same</td>") && html.contains("<summary>1 cell passed, in figures</summary>"))
    #expect(!html.contains("class=\"number better\""))
  }
}

extension PairReportTests {
  @Test("A figure that differs within a side is not called equal in the first table")
  func unrepeated() {
    var unsteady = comparison(1)
    unsteady.headFigures.append(sample(.counters, metrics: [.syncs: 9]))
    let html = Page(title: "pair", document: PairMarkdown.document(results([unsteady]), hasPictures: false)).html
    #expect(html.contains("UNTRUSTED") && !html.contains(">same</td>"), "\(html)")
  }

  @Test("A comment folds away the cells that passed, and the method and the machine")
  func comment() throws {
    let text = PairMarkdown.render(results([comparison(1.2), comparison(1)]))
    let parts = text.components(separatedBy: "<details>")
    try #require(parts.count == 3)
    #expect(parts[0].contains("REGRESSION") && !parts[0].contains("random blocks"))
    #expect(parts[1].hasPrefix("<summary>1 cell passed, in figures</summary>\n\n## "))
    #expect(parts[2].contains("random blocks") && text.components(separatedBy: "</details>").count == 3)
  }

  @Test("A fall within the limit is no improvement: an exact figure that is 0.3 % less passes, and is shown")
  func smallFall() {
    let limit = GateLimit(.share(0.01))
    #expect(Verdict(ofFigure: 997, to: 1_000, limit: limit) == .pass)
    #expect(Verdict(ofFigure: 980, to: 1_000, limit: limit) == .improved)
    #expect(Verdict(ofFigure: 1_003, to: 1_000, limit: limit) == .small)
  }

  @Test("One more sync is reported in every output, whatever the time says")
  func figures() throws {
    let results = results([comparison(1, syncs: 9)])
    #expect(lines(of: results).contains("| syncs | 8 | 9 | +12.5 | REGRESSION | the built-in limit |"))
    #expect(PairAnnotations.render(results).contains("Figures: syncs 8 -> 9."))
    let xml = PairJUnit.render(results)
    #expect(xml.contains("<testsuites name=\"batchmark pair\" tests=\"2\" failures=\"1\">"))
    #expect(xml.contains("<failure type=\"REGRESSION\" message=\"syncs: base 8, head 9\"/>"))
  }

  @Test("A page has each verdict once in words, with the change and the heap, and no more digits than a limit")
  func page() {
    let results = results([comparison(1.2), comparison(1)], placebos: [comparison(1)])
    let page = PairMarkdown.document(results, hasPictures: false).markdown
    #expect(!page.contains("PASS: `") && page.contains("`objectgraph/save`: **REGRESSION**, +19."))
    #expect(page.contains("a slow-down of 5 % passes with one of at most 5 %.") && !page.contains("5.00 %"))
    #expect(PairMarkdown.render(results).contains("## How it was compared"))
    let many = PairMarkdown.document(self.results((0..<6).map { _ in comparison(1) }), hasPictures: false).markdown
    #expect(many.contains("\nPASS: `objectgraph/save`, "))
    #expect(!page.contains("## The machine"), "nothing is known of it")
  }
}

extension PairReportTests {
  @Test("The title of a slow-down says by how much, and with which of several cells it is largest")
  func slowdownInTitle() {
    let one = PairMarkdown.title(of: results([comparison(1.2)]))
    #expect(one.hasPrefix("REGRESSION: new|<b> against old, +") && one.hasSuffix(" of time"), "\(one)")
    let several = PairMarkdown.title(of: results([comparison(1), comparison(1.2)]))
    #expect(several == one + " with objectgraph/save", "\(several)")
    // Without a slower cell it is about counters.
    #expect(PairMarkdown.title(of: results([comparison(1, syncs: 9)])) == "REGRESSION: new|<b> against old")
  }

  @Test("The terminal has the verdict, a line per cell, and more only about cells that did not simply pass")
  func terminal() {
    let passed = PairText.render(results([comparison(1)]))
    let lines = passed.split(separator: "\n")
    #expect(lines.first == "PASS: new|<b> against old")
    #expect(lines.last?.hasPrefix("objectgraph/save  PASS     PASS ") == true, "\(passed)")
    #expect(!passed.contains("Estimate") && !passed.contains("How it was compared") && !passed.contains("`"))
    #expect(lines.allSatisfy { $0.count <= TerminalTable.lineWidth })

    let slower = PairText.render(results([comparison(1), comparison(1.2), comparison(1, syncs: 9)]))
    #expect(slower.components(separatedBy: "\nobjectgraph/save\n").count == 3, "\(slower)")
    #expect(slower.contains("\n  REGRESSION: head is slower. Estimate "))
    #expect(slower.contains("\nsyncs      8     9      +12.5  REGRESSION  the built-in limit\n"), "\(slower)")

    // What does not fit into columns is shown in lines, and nothing of it is lost.
    let narrow = PairText.render(results([comparison(1.2, syncs: 9)]), columns: 60, isASCII: true)
    let rows = narrow.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(rows.allSatisfy { $0.count <= 60 && $0.allSatisfy(\.isASCII) }, "\(narrow)")
    #expect(
      rows.contains("  Verdict               REGRESSION") && rows.contains("  Pairs                 90 + 90"),
      "\(narrow)")
  }

  @Test("A forbidden improvement is an error of the check, and an unjudged figure is not a test case")
  func failingImprovement() {
    var results = results([comparison(1, syncs: 4)])
    #expect(!PairAnnotations.render(results).contains("::error") && results.status == .success)
    #expect(lines(of: results).first == "# PASS: new\\|&lt;b> against old")
    results.rules.failsOnImproved = true
    #expect(lines(of: results).first == "# IMPROVED, which fails: new\\|&lt;b> against old")
    // It comes before results that do not fail, from the same cell and from others.
    var beside = self.results([comparison(1.03, syncs: 4), comparison(1), comparison(1.03)])
    beside.rules.failsOnImproved = true
    #expect(beside.status == .regression && beside.overall == .improved)
    #expect(beside.comparisons.map { beside.verdict(of: $0) } == [.improved, .pass, .small])
    #expect(PairAnnotations.render(results).contains("::error") && results.status == .regression)
    #expect(PairAnnotations.render(results).contains("Figures: syncs 8 -> 4."))
    results.rules.judged = .figures
    #expect(PairJUnit.render(results).contains("tests=\"1\" failures=\"1\""))
    #expect(lines(of: results).contains { $0.contains("| not judged |") })
  }

  /// Three machines on which head takes this many times as long, with a gate of 5 % in both directions.
  private func machines(_ slowdown: Double) throws -> PairMerge {
    let limit = GateLimit(.share(0.05), isTwoSided: true)
    return try PairMerge(
      (1...3).map { index in
        var one = comparison(slowdown + 0.001 * Double(index))
        one.gate = Gate([GateRule(text: "time: ±5%", origin: .scenario, phase: "ingest", subject: .time, limit: limit)])
        var results = results([one])
        results.shard = Shard(index: index, of: 3)
        return ("machine-\(index)", results)
      }, isPartial: false)
  }

  @Test("A two-sided limit on the time fails on several machines too, unless the time is within it")
  func machinesBothWays() throws {
    let faster = try machines(0.8)
    #expect(faster.status == .regression)
    #expect(PairMachineReport.title(of: faster) == "IMPROVED, which fails: new|<b> against old on 3 machines")
    #expect(try machines(0.97).status == .success)
    #expect(try machines(1).status == .success)
    #expect(try machines(1.2).status == .regression)
  }

  @Test("An unjudged time has no verdict in the table of machines")
  func machinesUnjudged() throws {
    func verdicts(_ gate: Gate) throws -> [String?] {
      let merge = try PairMerge(
        (1...3).map { index in
          var one = comparison(1 + 0.001 * Double(index))
          one.gate = gate
          var results = results([one])
          results.shard = Shard(index: index, of: 3)
          return ("machine-\(index)", results)
        }, isPartial: false)
      return CSVParser.records(MachineCSV.machines(merge)).map { $0["verdict"] }
    }
    #expect(try verdicts(Gate([])) == ["PASS", "PASS", "PASS"])
    let unjudged = GateRule(text: "time: none", origin: .scenario, phase: "ingest", subject: .time, limit: nil)
    #expect(try verdicts(Gate([unjudged])) == ["", "", ""])
  }

  @Test("A report of several machines names the interrupted one, and says that not all took as many pairs")
  func machinesInterrupted() throws {
    func merged(_ counts: [Int]) throws -> String {
      let merge = try PairMerge(
        counts.enumerated().map { index, count in
          var results = results([comparison(1, count: count)])
          results.shard = Shard(index: index + 1, of: counts.count)
          results.run.isInterrupted = count < 90
          return ("machine-\(index + 1)", results)
        }, isPartial: true)
      return PairMachineReport.document(merge).markdown
    }
    let whole = try merged([90, 90, 90])
    #expect(whole.contains("Every machine took 90 pairs of each cell.") && !whole.contains("interrupted"))
    let cut = try merged([90, 40, 90])
    #expect(cut.contains("**Incomplete: 2/3 was interrupted**; the pairs that were taken count."))
    #expect(cut.contains("Machines took 40 to 90 pairs of each cell.") && !cut.contains("Every machine took"))
  }

  /// The page of machines on which both sides take the same time, after a change to one machine.
  private func page(_ change: (inout PairResults) -> Void) throws -> (merge: PairMerge, text: String) {
    let merge = try PairMerge(
      (1...3).map { index in
        var results = results([comparison(1 + 0.001 * Double(index), isConfirmed: false)])
        results.shard = Shard(index: index, of: 3)
        if index == 2 { change(&results) }
        return ("machine-\(index)", results)
      }, isPartial: false)
    return (merge, PairMachineReport.document(merge).markdown)
  }

  @Test("If one machine cannot be trusted, the verdict of all is untrusted, and the page says why")
  func machineDoubts() throws {
    let disturbed = try page { $0.comparisons[0].disturbedPairs = 91 }
    #expect(disturbed.merge.overall == .untrusted && disturbed.merge.status == .untrusted)
    let reason = "91 pairs were disturbed and taken again, more than the 90 that were not"
    #expect(disturbed.text.contains("- **`objectgraph/save` on 2/3**: \(reason)."), "\(disturbed.text)")
    let failed = try page {
      let failure = PairFailure(isBase: true, pass: .timing, reason: "it *died*", standardError: "")
      $0.comparisons[0].failures = [failure]
    }
    #expect(failed.merge.overall == .untrusted && failed.merge.status == .failedSamples)
    #expect(failed.text.contains("a sample of base failed in the timing pass: it \\*died\\*."), "\(failed.text)")
    let fine = try page { _ in }
    #expect(fine.merge.overall == .pass && !fine.text.contains("on 2/3"))
  }

  @Test("A failed sample of a machine that was interrupted decides the status of all")
  func failureOfInterrupted() throws {
    func merged(_ change: (inout PairResults) -> Void) throws -> PairMerge {
      try PairMerge(
        (1...3).map { index in
          var results = results([comparison(1 + 0.001 * Double(index), isConfirmed: false)])
          results.shard = Shard(index: index, of: 3)
          if index == 2 { change(&results) }
          return ("machine-\(index)", results)
        }, isPartial: true)
    }
    let failure = PairFailure(isBase: true, pass: .timing, reason: "it died", standardError: "")
    #expect(try merged { $0.run.isInterrupted = true }.status == .success)
    let both = try merged {
      $0.run.isInterrupted = true
      $0.comparisons[0].failures = [failure]
    }
    #expect(both.results[1].status == .interrupted && both.status == .failedSamples)
  }

  @Test("The page of machines says how many pairs each took, and whether times are judged")
  func machinePairs() throws {
    #expect(try page { _ in }.text.contains("Every machine took 90 pairs of each cell."))
    let fewer = try page { $0.comparisons[0].pairs.removeLast(6) }
    #expect(fewer.text.contains("Machines took 84 to 90 pairs of each cell."))
    let exact = try PairMerge(
      (1...3).map { index in
        var results = results([comparison(1, isConfirmed: false)])
        (results.rules.judged, results.shard) = (.figures, Shard(index: index, of: 3))
        return ("machine-\(index)", results)
      }, isPartial: false)
    let text = PairMachineReport.document(exact).markdown
    #expect(text.contains("Times are not judged.") && !text.contains("geometric mean"), "\(text)")
  }

  @Test("If only times are judged, the page does not claim that the sides have no common figures")
  func timeOnly() {
    var results = results([comparison(1)])
    results.rules.judged = .time
    let text = lines(of: results)
    #expect(text.contains("Exact figures are not judged.") && !text.contains { $0.contains("none in common") })
    #expect(results.overall == .pass && results.status == .success)
  }

  @Test("One machine of several has no verdict in its title, and annotations only for untrusted figures")
  func machine() {
    var results = results([comparison(1.2)])
    results.shard = Shard(index: 2, of: 5)
    #expect(lines(of: results).first == "# Machine 2 of 5: new\\|&lt;b> against old")
    #expect(PairAnnotations.render(results).isEmpty && results.status == .success)
    #expect(PairJUnit.render(results).contains("failures=\"0\""))
    results.comparisons[0].failures = [PairFailure(isBase: true, pass: .timing, reason: "it died", standardError: "")]
    #expect(PairAnnotations.render(results).hasPrefix("::error title=batchmark UNTRUSTED::"))
    #expect(PairAnnotations.render(results).contains(" A sample of base failed in the timing pass: it died."))
    #expect(PairMarkdown.render(results).contains("**UNTRUSTED**, 1 failed sample; "))
  }

  @Test("An unconfirmed change, and a base that differs from itself, fail the gate")
  func closed() {
    let unconfirmed = results([comparison(1.1, isConfirmed: false)])
    #expect(unconfirmed.overall == .inconclusive && PairJUnit.render(unconfirmed).contains("type=\"INCONCLUSIVE\""))
    #expect(PairAnnotations.render(unconfirmed).hasPrefix("::warning title=batchmark INCONCLUSIVE::"))
    let drifting = results([comparison(1)], placebos: [comparison(1.2, count: 12)])
    #expect(
      drifting.overall == .untrusted && lines(of: drifting).contains { $0.hasPrefix("**Nothing here can be trusted**") }
    )
    #expect(PairJUnit.render(drifting).contains("type=\"UNTRUSTED\""))
    #expect(PairAnnotations.render(drifting).hasPrefix("::error title=batchmark UNTRUSTED::"))
  }
}

extension PairReportTests {
  @Test("Lost and disturbed pairs are accepted up to the limit, and not beyond it")
  func trustLimits() throws {
    func verdict(_ change: (inout PairComparison) -> Void) -> TimeVerdict {
      var comparison = comparison(1, isConfirmed: false, count: 98)
      change(&comparison)
      return comparison.time(results([]).rules)
    }
    func losing(_ count: Int) -> TimeVerdict {
      verdict { comparison in
        comparison.failures = (0..<count).map { _ in
          PairFailure(isBase: true, pass: .timing, reason: "it died", standardError: "")
        }
      }
    }
    // The limit is two of a hundred.
    #expect(losing(2).distrust == nil && losing(2).verdict == .pass)
    #expect(losing(3).distrust == "3 of 101 pairs were lost to failed samples, where 2 % may be")
    #expect(losing(3).verdict == .untrusted)
    #expect(verdict { $0.disturbedPairs = 98 }.distrust == nil)
    #expect(
      verdict { $0.disturbedPairs = 99 }.distrust
        == "99 pairs were disturbed and taken again, more than the 98 that were not")
    var single = comparison(1, isConfirmed: false, count: 1)
    single.disturbedPairs = 2
    #expect(
      single.time(results([]).rules).distrust
        == "2 pairs were disturbed and taken again, more than the 1 that was not")
  }

  @Test("If nothing was compared, the page says so, and an inconclusive placebo is not reported as passed")
  func nothing() {
    var without = comparison(1)
    without.headFigures = [sample(.counters)]
    let results = results([without])
    #expect(lines(of: results).contains("**No exact figure was compared**: the sides have none in common."))
    #expect(!PairMarkdown.render(results).contains("Every exact figure") && results.overall == .untrusted)
    #expect(PairJUnit.render(results).contains("message=\"no exact figure was compared\""))
    let nothing = self.results([])
    #expect(lines(of: nothing).contains { $0.hasPrefix("**Nothing was compared**") })
    #expect(PairJUnit.render(nothing).contains("tests=\"1\" failures=\"1\""))
    #expect(PairAnnotations.render(nothing).hasPrefix("::error title=batchmark UNTRUSTED::no cell was measured"))
    let undecided = self.results(
      [comparison(1)], placebos: [comparison(1.1, isConfirmed: false, count: 12), comparison(1, count: 12)])
    let placebo = "came out as PASS with `objectgraph/save`; INCONCLUSIVE with `objectgraph/save`."
    #expect(PairMarkdown.render(undecided).contains(placebo), "\(PairMarkdown.render(undecided))")
    #expect(PairJUnit.render(undecided).contains("quakes/objectgraph/save (inconclusive)"))
  }

  @Test("JUnit's XML is well formed, and annotations have one line each, whatever the workers' output")
  func foreignText() throws {
    var failed = comparison(1)
    failed.failures = [
      PairFailure(isBase: false, pass: .timing, reason: "a \"quoted\" <b> & \u{1}\n::error::line %", standardError: "")
    ]
    let results = results([failed])
    let read = JUnitReader()
    let parser = XMLParser(data: Data(PairJUnit.render(results).utf8))
    parser.delegate = read
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(read.messages == ["a \"quoted\" <b> & ::error::line %"])
    #expect(read.tests == read.cases && read.failures == read.messages.count)
    #expect(PairAnnotations.render(results).split(separator: "\n").count == 1)
  }

  /// The contents of a JUnit file, read with Foundation's parser, libxml2.
  private final class JUnitReader: NSObject, XMLParserDelegate {
    var messages: [String] = []
    var cases = 0
    /// The counts of the root element.
    var tests: Int?
    var failures: Int?

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      switch name {
      case "testsuites":
        (tests, failures) = (attributes["tests"].flatMap(Int.init), attributes["failures"].flatMap(Int.init))
      case "testcase": cases += 1
      case "failure": messages.append(attributes["message"] ?? "")
      default: break
      }
    }
  }

  @Test("Stored results are read back and give the same bytes")
  func stored() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/pair-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let results = results([comparison(1.03)], placebos: [comparison(1, count: 12)])
    let files = try PairReportWriter(directory: folder).write(results)
    let again = try PairFile.read(#require(files.results))
    #expect(try PairFile.render(again) == PairFile.render(results))
    #expect(PairMarkdown.render(again) == PairMarkdown.render(results))
    if let kept = ProcessInfo.processInfo.environment["BATCHMARK_STORED_FILES"] {
      try PairFile.render(results).write(toFile: kept + "/pair-stored-accepted.json", atomically: true, encoding: .utf8)
    }
  }
}

extension PairReportTests {
  private typealias Change = @Sendable (inout PhaseProfile) -> Void

  private static let excesses: [(change: Change, figure: String)] = [
    ({ $0.statements?[0].runs = .max }, "9223372036854775807"),
    ({ $0.statements?[1].work?.preparations = .max }, "9223372036854775807"),
    ({ $0.statements?[1].work?.repreparations = .min }, "-9223372036854775808"),
    ({ $0.stages?.stages[0].allocations = .max }, "9223372036854775807"),
    ({ $0.stages?.other.nanoseconds = .min }, "-9223372036854775808"),
    ({ $0.stacks = ["main;f": .max] }, "9223372036854775807"),
    ({ $0.heapStacks = ["main;f": .min] }, "-9223372036854775808"),
    // Two to the power of 60, added to the previous counts.
    (
      { $0.peakStacks = Dictionary(uniqueKeysWithValues: (0..<4096).map { ("f\($0)", 1 << 48) }) },
      "1152921504606846985"
    ),
  ]

  @Test(
    "An impossible whole number in a profile is refused, and so are many with an impossible sum",
    arguments: excesses.indices)
  func excess(number: Int) throws {
    let (change, figure) = Self.excesses[number]
    var profile = PhaseProfile()
    profile.stages = StageFigures(stages: [.init(name: "insertions", turns: 1)], other: .init(name: "other"))
    // They have the same text without values, so they are added up.
    profile.statements = ["INSERT INTO q VALUES (1)", "INSERT INTO q VALUES (2)"].map {
      SQLCost(sql: $0, runs: 1, vmSteps: 1, nanoseconds: 1)
    }
    profile.statements?[1].work = SQLWork(preparations: 1, repreparations: 1)
    for isBase in [true, false] {
      func trials(_ isChanged: Bool) -> [ProfiledTrial] {
        var phase = PhaseMeasurement(phase: .ingest, rows: 10, wallSeconds: 1)
        var own = profile
        if isChanged { change(&own) }
        phase.profile = own
        return [ProfiledTrial(.statements, phase)]
      }
      var profiled = comparison(1)
      profiled.profiles = PairProfiles(base: trials(isBase), head: trials(!isBase))
      let results = results([profiled])
      try withTemporaryDirectory { directory in
        let path = directory + "/pair.json"
        try Data(try PairFile.render(results).utf8).write(to: URL(filePath: path))
        let error = try #require(throws: ReportError.self) { try PairFile.read(path) }
        let words = "quakes/objectgraph/save has the figure \(figure), which no run has"
        #expect(error.description.contains(words), "\(error)")
      }
    }
  }
}

extension PairReportTests {
  @Test("A comparison that was interrupted before its first cell says so, without a verdict and a table")
  func interruptedAtOnce() {
    var results = results([])
    results.run.isInterrupted = true
    let text = lines(of: results)
    #expect(text.first == "# Interrupted: new\\|&lt;b> against old")
    #expect(text.contains("**The comparison was interrupted** before a cell had been compared."))
    #expect(!text.contains { $0.hasPrefix("| Cell |") || $0.contains("UNTRUSTED") }, "\(text)")
    #expect(results.status == .interrupted)
    let later = self.results([comparison(1)])
    #expect(lines(of: later).first == "# PASS: new\\|&lt;b> against old")
  }
}
