// The tracer of a profile, which adds up the cost of each stage of saves, batch inserts and engines.
internal import Instruments
internal import BatchmarkEngine
package import ObjectGraph
internal import Support
internal import Synchronization

/// Records the beginning of every stage of a phase, and the cost until the next one.
///
/// An engine that wants to be profiled reports its own stages (``began(_:)-(String)``); ObjectGraph reports those of
/// saves and batch inserts. It records nothing outside of a phase.
package final class StageRecorder: StageObserver {
  /// The amount spent up to one moment.
  struct Reading: Sendable {
    var nanoseconds: Int64 = 0
    var allocations: Int64 = 0
    var allocatedBytes: Int64 = 0
  }

  private let read: @Sendable () -> Reading
  private let state = Mutex(State())

  /// - Parameter read: Returns the amount spent so far; it must not allocate.
  init(read: @escaping @Sendable () -> Reading) { self.read = read }

  /// A recorder of elapsed time.
  static func ofTime() -> StageRecorder {
    StageRecorder { Reading(nanoseconds: Int64(MonotonicClock.now())) }
  }

  /// A recorder of allocations, over all threads.
  static func ofAllocations(_ meter: AllocationMeter) -> StageRecorder {
    StageRecorder {
      let figures = meter.figures()
      return Reading(allocations: figures.allocations, allocatedBytes: figures.allocatedBytes)
    }
  }

  /// Records the beginning of an engine's own stage.
  package func began(_ stage: String) {
    let now = read()
    state.withLock { $0.begin(stage, now) }
  }

  package func began(_ stage: SaveStage) { began(stage.rawValue) }

  package func began(_ stage: BatchInsertStage) {
    let now = read()
    state.withLock { $0.begin(stage, now) }
  }

  package func ended(isStored: Bool) { ended() }

  /// Records that the last stage is over and no other has begun.
  package func ended() {
    let now = read()
    state.withLock { $0.begin(State.other, now) }
  }

  /// Begins a phase.
  func start() {
    state.withLock { $0.start() }
    let now = read()
    state.withLock { $0.last = now }
  }

  /// Ends the phase.
  func stop() {
    let now = read()
    state.withLock { $0.stop(now) }
  }

  /// The current stage; `nil` for none.
  var current: String? { state.withLock { $0.currentName } }

  /// The stages of the last phase.
  func figures() -> StageFigures {
    state.withLock { StageFigures(stages: Array($0.figures.dropFirst()), other: $0.figures[State.other]) }
  }

  /// The cost of recording a beginning, in nanoseconds: the median of several tries on a separate recorder, through the
  /// protocol that ObjectGraph uses.
  static func markNanoseconds() -> Double {
    let recorder = StageRecorder.ofTime()
    let tracer: any BatchInsertTracer = recorder
    let marks = 20_000
    recorder.start()
    let tries = (0..<9).map { _ in
      let start = MonotonicClock.now()
      for _ in 0..<marks / 2 {
        tracer.began(.binding)
        tracer.began(.stepping)
      }
      return Double(MonotonicClock.now() - start) / Double(marks)
    }
    return tries.sorted()[tries.count / 2]
  }

  /// Memory for all stages is allocated at the start, so that recording one allocates nothing.
  private struct State {
    static let other = 0
    private static let room = 64

    var last = Reading()
    private(set) var figures = [StageFigures.Figure(name: "other")]
    private var positions: [String: Int] = Dictionary(minimumCapacity: room)
    /// The positions of the stages that occur once a row, found without comparing names; 0 before the first occurrence.
    private var batchPositions = [Int](repeating: 0, count: BatchInsertStage.allCases.count)
    private let batchNames = BatchInsertStage.allCases.map(\.name)
    private var current = other
    private var isRecording = false

    init() { figures.reserveCapacity(State.room) }

    mutating func start() {
      figures.removeAll(keepingCapacity: true)
      figures.append(StageFigures.Figure(name: "other"))
      positions.removeAll(keepingCapacity: true)
      for index in batchPositions.indices { batchPositions[index] = 0 }
      current = State.other
      isRecording = true
    }

    mutating func begin(_ name: String, _ now: Reading) {
      guard isRecording else { return }
      begin(positions[name] ?? add(name), now)
    }

    mutating func begin(_ stage: BatchInsertStage, _ now: Reading) {
      guard isRecording else { return }
      if batchPositions[stage.rawValue] == 0 {
        // A save, or an engine, may have a stage with that name.
        let name = batchNames[stage.rawValue]
        batchPositions[stage.rawValue] = positions[name] ?? add(name)
      }
      begin(batchPositions[stage.rawValue], now)
    }

    mutating func begin(_ position: Int, _ now: Reading) {
      guard isRecording else { return }
      spend(now)
      figures[position].turns += 1
      current = position
    }

    mutating func stop(_ now: Reading) {
      spend(now)
      isRecording = false
    }

    /// Adds the amount spent since the last reading to the current stage.
    private mutating func spend(_ now: Reading) {
      figures[current].nanoseconds += now.nanoseconds - last.nanoseconds
      figures[current].allocations += now.allocations - last.allocations
      figures[current].allocatedBytes += now.allocatedBytes - last.allocatedBytes
      last = now
    }

    var currentName: String? { isRecording && current != State.other ? figures[current].name : nil }

    private mutating func add(_ name: String) -> Int {
      figures.append(StageFigures.Figure(name: name))
      positions[name] = figures.count - 1
      return figures.count - 1
    }
  }
}
