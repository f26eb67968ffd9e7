// A4: the declarations of instruments are complete, and match the figures that they measure.
import Foundation
import BatchmarkEngine
import Instruments
import MissionTags
import Support
import Testing

@Suite("A4 · metrics are declared by their instruments", .tags(.a4))
struct MetricTests {
  @Test("Every figure is declared once, with its instrument's pass and a line of help")
  func declarations() {
    let all = MetricDeclaration.all
    #expect(all.count == Set(all.map(\.id)).count)
    #expect(all.map(\.id) == MetricID.allCases)
    #expect(all.count > 40)
    for instrument in InstrumentList.all {
      #expect(!instrument.metrics.isEmpty)
      #expect(instrument.metrics.allSatisfy { $0.pass == instrument.pass }, "\(instrument)")
      #expect(instrument.pass != .timing, "times come from clocks")
    }
    for metric in all {
      #expect(!metric.help.isEmpty && !metric.help.contains("\n") && !metric.help.hasSuffix("."), "\(metric.column)")
      #expect(metric.help.count <= 90, "\(metric.column)")
      #expect(metric.column.allSatisfy { $0.isLowercase || $0 == "_" }, "\(metric.column)")
    }
  }

  @Test("Names end with their unit, and no sampled figure is judged")
  func units() {
    for metric in MetricID.allCases {
      let name = metric.rawValue
      #expect(metric.isTime == name.hasSuffix("_ns"), "\(name)")
      #expect(metric.isBytes == name.contains("bytes"), "\(name)")
      #expect((metric.declaration.unit == .frames) == name.contains("frames"), "\(name)")
      #expect(!metric.isJudged || metric.isExact, "\(name)")
      #expect(!metric.isTime || !metric.isExact, "\(name)")
      if name.hasPrefix("jemalloc_") || name.hasPrefix("rss_") { #expect(!metric.isExact && metric.pass == .memory) }
    }
    #expect(MetricID.cacheHits.isExact && !MetricID.cacheHits.isJudged)
    #expect(MetricID.heapPeak.isJudged && !MetricID.heapPeak.isOfWAL)
    #expect(MetricID.walFrames.isOfWAL && MetricID.checkpointTime.isOfWAL && !MetricID.journalSyncs.isOfWAL)
  }

  @Test("A figure is a key in JSON; a name that nobody declares is refused")
  func coding() throws {
    let figures: [MetricID: Int64] = [.heapPeak: 7]
    let data = try JSONEncoder().encode(figures)
    #expect(String(decoding: data, as: UTF8.self) == #"{"heap_peak_bytes":7}"#)
    #expect(try JSONDecoder().decode([MetricID: Int64].self, from: data) == figures)
    #expect(MetricID(rawValue: "syncs") == .syncs)
    #expect(MetricID(rawValue: "sinks") == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([MetricID: Int64].self, from: Data(#"{"sinks":7}"#.utf8))
    }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([MetricID].self, from: Data(#"["sinks"]"#.utf8)) }
  }
}

extension MetricTests {
  @Test("Instruments of the counters pass report the declared figures, and nothing while rows are loaded")
  func counters() throws {
    let context = InstrumentContext()
    var instruments = try InstrumentList.attach(.counters, in: context)
    var seen: [[MetricID: Int64]] = [[:], [:]]
    for (index, phase) in [Phase.load, .ingest].enumerated() {
      if phase == .ingest {
        for number in instruments.indices {
          instruments[number].engineOpens(storeAt: #filePath)
          instruments[number].engineHasOpened(storeAt: #filePath)
        }
      }
      for number in instruments.indices { try instruments[number].phaseBegins(phase) }
      for number in instruments.indices {
        let figures = try instruments[number].phaseEnds(phase)
        #expect(Set(figures.keys).isSubset(of: type(of: instruments[number]).metrics.map(\.id)))
        seen[index].merge(figures) { $1 }
      }
    }
    #expect(seen[0].isEmpty)
    #expect(Set(seen[1].keys) == Set(MetricID.allCases.filter { $0.pass == .counters }))
    // Other tests may use SQLite at the same time, so a separate process shows the other figures.
    #expect(seen[1][.databaseBytes] == FileStatus(#filePath)?.bytes)
  }

  #if os(Linux)
    @Test("Every counter is 0 without use of SQLite, and has the work done with it")
    func ownProcess() throws {
      let names = Set(MetricID.allCases.filter { $0.pass == .counters && $0 != .databaseBytes }.map(\.rawValue))
      let idle = try Probe.run("idleCounters", metered: false).figures
      #expect(Set(idle.keys) == names && idle.values.allSatisfy { $0 == 0 }, "\(idle)")
      let busy = try Probe.run("busyCounters", metered: false)
      #expect(Set(busy.figures.keys) == names && busy.figures.values.allSatisfy { $0 >= 0 }, "\(busy)")
      #expect(try busy["statements"] == 2 && busy["directory_syncs"] == 2 && busy["wal_frames"] == 0, "\(busy)")
      for name in ["vm_steps", "syncs", "db_bytes_written", "journal_bytes_written", "bytes_written", "write_calls"] {
        #expect(try busy[name] > 0, "\(name)")
      }
    }

    @Test("With a VFS without watchable directories, syncs are unknown, and all other figures are known")
    func unknownDirectories() throws {
      let answer = try Probe.run("unknownDirectories", metered: false)
      #expect(
        Set(answer.figures.keys.filter { $0.hasPrefix("absent_") }) == ["absent_syncs", "absent_directory_syncs"],
        "\(answer)")
      #expect(try answer["directory_syncs"] == 0 && answer["db_syncs"] > 0 && answer["statements"] == 2)
    }
  #endif

  @Test("An engine with an unseen open has no figures except its file's, and each says why")
  func unseenEngine() throws {
    var instruments = try InstrumentList.attach(.counters, in: InstrumentContext())
    let path = FileManager.default.temporaryDirectory.path + "/unseen-\(UUID().uuidString).sqlite"
    for index in instruments.indices { instruments[index].engineOpens(storeAt: path) }
    for index in instruments.indices { instruments[index].engineHasOpened(storeAt: path) }
    let absences = instruments.indices.flatMap { instruments[$0].detach() }
    let missing = absences.flatMap(\.metrics)
    #expect(missing.count == Set(missing).count)
    #expect(Set(missing) == Set(MetricID.allCases.filter { $0.pass == .counters && $0 != .databaseBytes }))
    #expect(absences.allSatisfy { $0.reason.hasSuffix("through another SQLite library, or in another process") })
  }

  @Test("The timing pass has no instrument, and the memory pass none without the allocation meter")
  func otherPasses() throws {
    #expect(try InstrumentList.attach(.timing, in: InstrumentContext()).isEmpty)
    if AllocationMeter.loaded == nil {
      #expect(throws: InstrumentError.noAllocationMeter) {
        try InstrumentList.attach(.memory, in: InstrumentContext())
      }
    }
    #expect(InstrumentError.noAllocationMeter.description.contains("build with scripts/bench"))
  }

  @Test("One sampler serves all instruments, and stops with them")
  func sharedSampler() throws {
    let context = InstrumentContext()
    let sampler = try context.memorySampler()
    #expect(try context.memorySampler() === sampler)
    #expect(sampler.peaks.samples > 0)
    context.stop()
    let looks = sampler.peaks.samples
    #expect(try context.memorySampler() !== sampler)
    #expect(sampler.peaks.samples == looks)
    context.stop()
  }
}
