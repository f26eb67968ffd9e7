// A9: a recorder's stages, with a clock that the test controls.
import BatchmarkEngine
import Instruments
import MissionTags
import ObjectGraph
import Synchronization
import Testing

@testable import Harness

@Suite("A9 · the recorder of stages", .tags(.a9))
struct StageRecorderTests {
  /// A clock and allocation counts that only change if the test changes them.
  private final class Meter: Sendable {
    private let reading = Mutex(StageRecorder.Reading())

    var now: StageRecorder.Reading { reading.withLock { $0 } }

    func spend(_ nanoseconds: Int64, allocations: Int64 = 0) {
      reading.withLock {
        $0.nanoseconds += nanoseconds
        $0.allocations += allocations
        $0.allocatedBytes += 16 * allocations
      }
    }

    func recorder() -> StageRecorder { StageRecorder { self.now } }
  }

  @Test("Stages are contiguous: together with the time outside of stages they are the whole phase")
  func sums() throws {
    let meter = Meter()
    let recorder = meter.recorder()
    meter.spend(1_000, allocations: 50)
    recorder.start()
    meter.spend(5, allocations: 1)
    for _ in 0..<3 {
      recorder.began("objectCreation")
      meter.spend(100, allocations: 4)
      recorder.began(SaveStage.validation)
      meter.spend(20)
      recorder.began(SaveStage.insertions)
      meter.spend(200, allocations: 2)
      recorder.ended(isStored: true)
      meter.spend(7)
    }
    recorder.stop()
    meter.spend(1_000, allocations: 50)
    let figures = recorder.figures()
    #expect(figures.stages.map(\.name) == ["objectCreation", "validation", "insertions"])
    #expect(figures.stages.map(\.turns) == [3, 3, 3])
    #expect(figures.stages.map(\.nanoseconds) == [300, 60, 600])
    #expect(figures.stages.map(\.allocations) == [12, 0, 6])
    #expect(figures.other.nanoseconds == 5 + 21 && figures.other.allocations == 1)
    #expect(figures.totalNanoseconds == 986 && figures.totalAllocations == 19 && figures.totalAllocatedBytes == 19 * 16)
    #expect(figures.coverage == 960.0 / 986)
  }

  @Test("A batch insert's stages are recorded row by row, beside an engine's own")
  func rows() {
    let meter = Meter()
    let recorder = meter.recorder()
    let tracer: any BatchInsertTracer = recorder
    recorder.start()
    recorder.began("dictionaryCreation")
    meter.spend(50)
    let stages: [BatchInsertStage] = [.conversion, .binding, .stepping]
    for _ in 0..<1_000 {
      for stage in stages {
        tracer.began(stage)
        meter.spend(Int64(stage.rawValue))
      }
    }
    tracer.ended(isStored: true)
    recorder.stop()
    let figures = recorder.figures()
    #expect(figures.stages.map(\.name) == ["dictionaryCreation", "conversion", "binding", "stepping"])
    #expect(figures.stages.map(\.turns) == [1, 1_000, 1_000, 1_000])
    let spent: [Int64] = stages.map { 1_000 * Int64($0.rawValue) }
    #expect(figures.stages.dropFirst().map(\.nanoseconds) == spent)
    #expect(figures.other.nanoseconds == 0 && figures.coverage == 1)
  }

  @Test("The tracer's cost is subtracted from each stage as often as it began, and has a line of its own")
  func tracer() {
    let figures = StageFigures(
      stages: [
        StageFigures.Figure(name: "stepping", turns: 100, nanoseconds: 50_000),
        StageFigures.Figure(name: "binding", turns: 100, nanoseconds: 10_000),
        // It is shorter than the average time for recording it.
        StageFigures.Figure(name: "history", turns: 100, nanoseconds: 2_000),
      ], other: StageFigures.Figure(name: "other", turns: 1, nanoseconds: 1_000), markNanoseconds: 30)
    #expect(figures.stages.map { figures.ownNanoseconds(of: $0) } == [47_000, 7_000, 0])
    #expect(figures.ownNanoseconds(of: figures.other) == 970)
    #expect(figures.tracerNanoseconds == 63_000 - 54_970)
    #expect(figures.coverage == 54_000.0 / 54_970)
  }
}

extension StageRecorderTests {
  @Test("A stage of a batch insert that a save also had is the same stage")
  func sameName() {
    let meter = Meter()
    let recorder = meter.recorder()
    recorder.start()
    recorder.began(SaveStage.commit)
    meter.spend(10)
    recorder.began(BatchInsertStage.commit)
    meter.spend(5)
    recorder.stop()
    let figures = recorder.figures()
    #expect(figures.stages.map(\.name) == ["commit"] && figures.stages.map(\.turns) == [2])
    #expect(figures.stages.map(\.nanoseconds) == [15])
  }

  @Test("Nothing is recorded outside of a phase, and every phase starts empty")
  func phases() {
    let meter = Meter()
    let recorder = meter.recorder()
    recorder.began("before")
    meter.spend(10)
    recorder.start()
    recorder.began("first")
    meter.spend(10)
    recorder.stop()
    recorder.began("between")
    meter.spend(10)
    #expect(recorder.figures().stages.map(\.name) == ["first"] && recorder.figures().totalNanoseconds == 10)
    recorder.start()
    recorder.began("second")
    meter.spend(3)
    recorder.stop()
    #expect(recorder.figures().stages.map(\.name) == ["second"] && recorder.figures().totalNanoseconds == 3)
  }

  @Test("A phase without stages or time has no coverage")
  func nothing() {
    let recorder = Meter().recorder()
    recorder.start()
    recorder.stop()
    let figures = recorder.figures()
    #expect(figures.stages.isEmpty && figures.coverage == nil && figures.tracerNanoseconds == 0)
  }

  @Test("The time to note a beginning is measured, and is more than zero")
  func markCost() { #expect(StageRecorder.markNanoseconds() > 0) }
}
