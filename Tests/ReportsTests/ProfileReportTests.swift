// A9: the files of a profile, from hand-made figures.
import Charts
import Harness
import Instruments
import MissionTags
@testable import Reports
import BatchmarkEngine
import Testing

@Suite("A9 · reports of profiles", .tags(.a9))
struct ProfileReportTests {
  private static let cell = Cell(scenario: "quakes", engine: "objectgraph", strategy: "save")

  private func sample(_ instrument: ProfileInstrument?, _ change: (inout PhaseProfile) -> Void = { _ in }) -> Sample {
    var ingest = PhaseMeasurement(phase: .ingest, rows: 1_000, wallSeconds: 0.002)
    if instrument != nil {
      var profile = PhaseProfile()
      change(&profile)
      ingest.profile = profile
    }
    return Sample(
      cell: Self.cell.id, pass: instrument?.pass ?? .timing, round: 1, phases: [ingest], growth: [],
      contents: StoredContents(
        rows: 1_000, contentHash: "h", nulls: [:], versions: [1: 1_000], databaseBytes: 4096, versionedHash: "v"),
      pragmas: [], notes: [], sqlite: "3.40.1", fingerprint: "f")
  }

  /// 900 µs in `insertions` and 60 in `validation`, of a millisecond; 20 of them are the tracer's.
  var results: ProfileResults {
    var results = ProfileResults(cell: Self.cell, rows: 1_000)
    results.command = "batchmark profile quakes.yml"
    results.add(sample(nil), nil)
    results.add(
      sample(.stages) {
        $0.stages = StageFigures(
          stages: [
            .init(name: "validation", turns: 100, nanoseconds: 70_000),
            .init(name: "insertions", turns: 100, nanoseconds: 910_000),
          ], other: .init(name: "other", nanoseconds: 20_000), markNanoseconds: 100)
      }, .stages)
    results.add(
      sample(.allocations) {
        $0.stages = StageFigures(
          stages: [
            .init(name: "validation", turns: 100),
            .init(name: "insertions", turns: 100, allocations: 3_000, allocatedBytes: 48_000),
          ], other: .init(name: "other", allocations: 1, allocatedBytes: 16))
      }, .allocations)
    results.add(
      sample(.statements) {
        $0.statements = [
          SQLCost(sql: "INSERT INTO ZQUAKE (A | B) VALUES (?, ?)", runs: 1_000, vmSteps: 9_000, nanoseconds: 500_000),
          SQLCost(sql: "COMMIT", runs: 1, vmSteps: 2, nanoseconds: 100_000),
        ]
        $0.statements?[0].work = SQLWork(preparations: 1, rows: 1_000, sorts: 3, plan: "SEARCH ZQUAKE")
      }, .statements)
    results.add(sample(.stacks) { $0.stacks = ["main;save;step": 30, "main;save": 10, "main;load;step": 5] }, .stacks)
    results.unavailable[.heap] = "the allocator was built without its profiler"
    return results
  }

  @Test("The stages, the rest and the tracer's part add up to the whole, a line each")
  func stages() throws {
    let text = ProfileMarkdown.document(results, files: ["stages.csv"]).markdown
    #expect(text.contains("| validation | 100 | 60.0 | 6.00 | 60.0 | 0 | 0 | 0 | 0 |"), "\(text)")
    #expect(text.contains("| insertions | 100 | 900 | 90.0 | 900 | 3,000 | 3.00 | 46.9 | 48.0 |"))
    #expect(text.contains("| other |  | 20.0 | 2.00 | 20.0 | 1 | 0.00100 | 0.0156 | 0.0160 |"))
    #expect(text.contains("| tracer |  | 20.0 | 2.00 | 20.0 | 0 |"))
    #expect(text.contains("| ingest |  | 1,000 | 100 | 1,000 | 3,001 |"))
    #expect(text.contains("Named stages cover 98.0 % of the time; `insertions` takes most, 90.0 %."))
    #expect(text.contains("Untraced 2.00 ms. The tracer costs 2.0 %."))
    let lines = try #require(results.phases.first.map(ProfileStage.lines))
    let parts = lines.dropLast()
    let whole = try #require(lines.last?.seconds)
    let sum: Double = parts.compactMap(\.seconds).reduce(0, +)
    #expect(abs(sum - whole) < 1e-12)
    #expect(parts.compactMap(\.allocations).reduce(0, +) == lines.last?.allocations)
  }

  @Test("A profile begins with its largest stage, the rows and the machine")
  func opening() {
    var results = results
    results.environment = [
      EnvironmentFact("processor", "Some CPU"), EnvironmentFact("memory", "8 GiB"), EnvironmentFact("kernel", "6"),
    ]
    let text = ProfileMarkdown.document(results, files: []).markdown
    #expect(
      text.hasPrefix("# `insertions` takes 90 % of ingest\n\nquakes/objectgraph/save · 1,000 rows · Some CPU · 8 GiB\n")
    )
    #expect(text.contains("\n| Processor | Some CPU |\n"))
    let nothing = ProfileMarkdown.document(ProfileResults(cell: Self.cell, rows: 1_000), files: []).markdown
    #expect(nothing.hasPrefix("# Profile of `quakes/objectgraph/save`\n"))
  }

  @Test(
    "The picture joins stages under 1 %, and shares below a hundredth of a per cent are no row of zeros")
  func smallStages() throws {
    var results = ProfileResults(cell: Self.cell, rows: 1_000)
    let parts: [(String, Int64)] = [("insertions", 990_000), ("a", 5_000), ("b", 4_970), ("c", 30)]
    results.add(
      sample(.stages) {
        $0.stages = StageFigures(
          stages: parts.map { .init(name: $0.0, turns: 1, nanoseconds: $0.1) }, other: .init(name: "other"),
          markNanoseconds: 0)
      }, .stages)
    let chart = try #require(ProfilePicture.stages(results)?.chart as? StackedBarChart)
    #expect(chart.rows.first?.parts.map(\.name) == ["insertions", "under 1 % each"])
    #expect(abs((chart.rows.first?.parts.last?.value ?? 0) - 1e-5) < 1e-12)
    let text = ProfileMarkdown.document(results, files: []).markdown
    #expect(text.contains(" &lt;0.01 |") && !text.contains("0.00300 |"), "\(text)")
  }
}

extension ProfileReportTests {
  @Test("Statements have runs, steps and time, and functions the number of stacks that end in them")
  func statementsAndStacks() {
    let text = ProfileMarkdown.document(results, files: []).markdown
    #expect(
      text.contains(
        "| INSERT INTO ZQUAKE (A \\| B) VALUES (?, ?) | 1,000 | 1,000 | 9,000 | 9.00 | 0 | 3 | 1 | 0 | 500 | 0.500 | 25.0 |"
      ))
    #expect(text.contains("Plans of 1 statement") && text.contains("SEARCH ZQUAKE"))
    #expect(text.contains("| all | 1,001 | 1,000 | 9,002 |"))
    #expect(text.contains("| step | 35 | 77.8 |") && text.contains("| save | 10 | 22.2 |"))
  }

  @Test("Fewer than 1,000 samples say how many there are, why, and what to do")
  func fewSamples() {
    var results = results
    results.samplingRate = 2_000
    let words =
      "Only 45 samples of stacks, where 1,000 are enough, so shares are rough: the phase took 2.00 ms in one worker, at 2,000 "
      + "samples a second. Take more rows with --set rows, or sample more often with --sampling-rate, at most 10,000."
    #expect(ProfileMarkdown.fewStacks(results) == words)
    let text = ProfileMarkdown.document(results, files: []).markdown
    #expect(text.contains("**Only 45 samples of stacks**, where 1,000 are enough"))
    #expect(text.contains("2,000 times a second of elapsed time"))
    results.add(sample(.stacks) { $0.stacks = ["main;save;step": 955] }, .stacks)
    #expect(ProfileMarkdown.fewStacks(results) == nil)
    #expect(ProfileMarkdown.document(results, files: []).markdown.contains("in 1,000 samples. A name"))
    var short = ProfileResults(cell: Self.cell, rows: 1_000)
    short.add(sample(.stacks) { $0.stacks = [:] }, .stacks)
    #expect(
      ProfileMarkdown.document(short, files: []).markdown.contains(
        "**The phase was over before a stack was sampled**: the phase took 2.00 ms in one worker, at 1,000 samples a second."
      ))
  }

  @Test("A heap profile of few samples says so")
  func fewAllocations() {
    var results = results
    results.unavailable = [:]
    results.add(sample(.heap), .heap)
    for (count, isFew) in [(999, true), (1_000, false)] {
      results.heap = "heap_v2/16384\n  t*: 2: 64 [\(count): 320]\n  t0: 2: 64 [1: 2]\n@ 0x1 0x2\n  t*: 1: 8 [7: 9]\n"
      #expect(results.heapSamples == count)
      let text = ProfileMarkdown.document(results, files: []).markdown
      #expect(text.contains("**Only 999 samples of allocations**, where 1,000 are enough") == isFew)
    }
    results.heap = "heap_v3"
    #expect(results.heapSamples == nil)
  }
}

extension ProfileReportTests {
  @Test("The live heap at the peak is shown beside all allocations, and the heap over time has stages")
  func peak() {
    var results = results
    results.unavailable = [:]
    results.heap = "heap_v2/16384\n"
    results.add(sample(.heap) { $0.heapStacks = ["a;b": 9 << 20] }, .heap)
    results.add(sample(.peak) { $0.peakStacks = ["a;b": 3 << 20, "a;c": 1 << 20] }, .peak)
    var metered = ProfileResults(cell: Self.cell, rows: 1_000)
    var allocations = sample(.allocations) { $0.stages = StageFigures(stages: [], other: .init(name: "other")) }
    allocations.phases[0].metrics[.heapPeak] = 4 << 20
    allocations.heap = [
      HeapPoint(seconds: 0, liveBytes: 0, sqliteBytes: 0),
      HeapPoint(seconds: 0.5, liveBytes: 4 << 20, sqliteBytes: 100, stage: "insertions"),
      HeapPoint(seconds: 0.75, liveBytes: 12, sqliteBytes: 12, stage: "commit"),
    ]
    metered.add(allocations, .allocations)
    metered.add(sample(.peak) { $0.peakStacks = ["a;b": 3 << 20, "a;c": 1 << 20] }, .peak)
    let files = ProfileWriter.files(of: metered)
    #expect(files.map(\.name) == ["stages.csv", "statements.csv", "heap-peak.folded", "heap.csv"])
    #expect(files[2].text == "a;b 3145728\na;c 1048576\n")
    #expect(
      files[3].text.replacing("\r\n", with: "\n") == """
        phase,seconds,live_bytes,sqlite_bytes,stage,is_peak
        ingest,0.000000,0,0,,false
        ingest,0.500000,4194304,100,insertions,true
        ingest,0.750000,12,12,commit,false

        """)
    let text = ProfileMarkdown.document(metered, files: []).markdown
    #expect(text.contains("At its highest the heap is 4.00 MiB above its level"))
    #expect(text.contains("it is highest after 500 ms in the stage `insertions`"))
    #expect(ProfileMarkdown.document(metered, files: []).pictures.map(\.path).contains("heap-peak.svg"))
    #expect(ProfileMarkdown.document(results, files: []).pictures.map(\.path).contains("heap.svg"))
  }

  @Test("A missing figure is explained in a sentence, and is never shown as zero")
  func gaps() {
    #expect(
      ProfileMarkdown.document(results, files: []).markdown.contains(
        "There is no heap profile: the allocator was built without its profiler."))
    var broken = ProfileResults(cell: Self.cell, rows: 1_000)
    let nothing = StageFigures(stages: [], other: .init(name: "other", nanoseconds: 9))
    broken.add(sample(.stages) { $0.stages = nothing }, .stages)
    broken.unavailable = [.stacks: "no timer here", .allocations: "there is no meter"]
    broken.failures = [
      (.statements, FailedSample(cell: Self.cell.id, pass: .counters, round: 1, reason: "it broke", standardError: ""))
    ]
    let text = ProfileMarkdown.document(broken, files: []).markdown
    #expect(text.contains("The engine reports no stages of this phase."))
    #expect(text.contains("**Failed**: statements: it broke."))
    #expect(text.contains("Statements were not counted: it broke."))
    #expect(text.contains("Stacks were not sampled: no timer here."))
    #expect(text.contains("there is no meter."))
    #expect(ProfileLines.render(broken).contains("—"))
  }

  @Test("CSV has a row per stage and a row per statement, with stable columns")
  func csv() {
    let stages = ProfileCSV.stages(results).split(separator: "\r\n").map(String.init)
    #expect(
      stages[0]
        == "scenario,cell,engine,strategy,parameters,phase,rows,kind,stage,turns,wall_ns,wall_share,wall_ns_per_row,"
        + "allocations,allocations_per_row,allocated_bytes,allocated_bytes_per_row,comparable")
    #expect(stages.count == 6)
    #expect(
      stages[2]
        == "quakes,quakes/objectgraph/save,objectgraph,save,,ingest,1000,stage,insertions,100,900000,0.900000,900.000,"
        + "3000,3.000,48000,48.000,true")
    let statements = ProfileCSV.statements(results).split(separator: "\r\n").map(String.init)
    #expect(
      statements[0]
        == "scenario,cell,engine,strategy,parameters,phase,runs,vm_steps,wall_ns,rows,full_scan_steps,sorts,automatic_index_rows,"
        + "preparations,repreparations,plan,sql,comparable")
    #expect(
      statements[1]
        == "quakes,quakes/objectgraph/save,objectgraph,save,,ingest,1000,9000,500000,1000,0,3,0,1,0,SEARCH ZQUAKE,"
        + "\"INSERT INTO ZQUAKE (A | B) VALUES (?, ?)\",true")
  }

  @Test("Folded stacks have a file per phase, the most frequent first; a heap profile is stored unchanged")
  func files() {
    var results = results
    results.heap = "heap_v2/16384\n"
    let files = ProfileWriter.files(of: results)
    #expect(files.map(\.name) == ["stages.csv", "statements.csv", "ingest.folded", "heap.prof"])
    #expect(files[2].text == "main;save;step 30\nmain;save 10\nmain;load;step 5\n")
    #expect(files[3].text == "heap_v2/16384\n")
  }

  @Test("The terminal has one line per stage")
  func terminal() {
    let lines = ProfileLines.render(results).split(separator: "\n")
    #expect(lines.count == 1 + 1 + 5)
    #expect(lines[0] == "quakes/objectgraph/save: 1,000 rows")
    #expect(lines[1].hasPrefix("ingest") && lines[3].hasPrefix("insertions") && lines[5].hasPrefix("tracer"))
  }
}
