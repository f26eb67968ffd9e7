// The heap over one phase, in as many points as a chart needs: the sampler reads it, and the meter's peaks add changes
// between two samples.
internal import Support

/// The heap at one moment of a phase, relative to its level when the phase began.
package struct HeapPoint: Codable, Sendable, Hashable {
  /// Seconds since the phase began, including the time of the instruments.
  package var seconds: Double
  /// Bytes allocated and not freed; at a new peak, those of the peak.
  package var liveBytes: Int64
  /// SQLite's part of those bytes.
  package var sqliteBytes: Int64
  /// The current stage; `nil` outside of stages or if they are not recorded.
  package var stage: String?

  package init(seconds: Double, liveBytes: Int64, sqliteBytes: Int64, stage: String? = nil) {
    self.seconds = seconds
    self.liveBytes = liveBytes
    self.sqliteBytes = sqliteBytes
    self.stage = stage
  }
}

/// Records the heap during a phase.
///
/// It keeps the highest sample in each of at most 64 intervals of equal length, so that the peak is always among them.
/// It does not allocate while it records.
struct HeapTimeline {
  /// The most points to keep.
  static let capacity = 64

  private var stretches: [HeapPoint] = []
  /// How many samples an interval has.
  private var width = 1
  /// The current interval: its highest sample, and the number of its samples.
  private var current: (highest: HeapPoint, looks: Int)?
  private var followed: (meter: AllocationMeter, level: OwnedFigures, start: UInt64, peak: Int64)?

  /// Returns the current stage without allocating; `nil` if stages are not recorded.
  var stage: (@Sendable () -> String?)?

  init() { stretches.reserveCapacity(HeapTimeline.capacity) }

  /// Records once and discards the result, so that Swift's first-use initialization is not part of a phase.
  static func rehearse(_ meter: AllocationMeter) {
    var timeline = HeapTimeline()
    timeline.begin(meter, from: meter.figuresByOwner())
    for _ in 0...capacity { timeline.look() }
    timeline.end(at: meter.figuresByOwner())
    timeline.begin(meter, from: meter.figuresByOwner())
  }

  /// Starts recording; the present level becomes 0.
  mutating func begin(_ meter: AllocationMeter, from level: OwnedFigures) {
    stretches.removeAll(keepingCapacity: true)
    (width, current) = (1, nil)
    followed = (meter, level, MonotonicClock.now(), level.all.peakBytes)
  }

  /// Takes a sample; does nothing outside of a phase.
  mutating func look() {
    guard let followed else { return }
    look(at: followed.meter.figuresByOwner())
  }

  /// Stops with these figures as the last sample.
  mutating func end(at figures: OwnedFigures) {
    look(at: figures)
    followed = nil
  }

  /// The points from the start of the phase to its last sample.
  var points: [HeapPoint] {
    if stretches.isEmpty && current == nil { return [] }
    return [HeapPoint(seconds: 0, liveBytes: 0, sqliteBytes: 0)] + stretches + (current.map { [$0.highest] } ?? [])
  }

  private mutating func look(at figures: OwnedFigures) {
    guard let followed else { return }
    // A peak since the last sample counts for this interval, even if the heap has shrunk since.
    let isPeak = figures.all.peakBytes > followed.peak
    if isPeak { self.followed?.peak = figures.all.peakBytes }
    let live = (isPeak ? figures.all.peakBytes : figures.all.liveBytes) - followed.level.all.liveBytes
    let sqlite = figures.marked.liveBytes - followed.level.marked.liveBytes
    note(
      HeapPoint(
        seconds: Double(MonotonicClock.now() - followed.start) / 1e9, liveBytes: live,
        sqliteBytes: min(max(sqlite, 0), max(live, 0)), stage: stage?()))
  }

  mutating func note(_ point: HeapPoint) {
    let highest = current.map { HeapTimeline.higher($0.highest, point) } ?? point
    let looks = (current?.looks ?? 0) + 1
    guard looks == width else {
      current = (highest, looks)
      return
    }
    current = nil
    stretches.append(highest)
    if stretches.count == HeapTimeline.capacity { joinPairs() }
  }

  /// Merges each pair of intervals into one, in place.
  private mutating func joinPairs() {
    let half = stretches.count / 2
    for index in 0..<half { stretches[index] = HeapTimeline.higher(stretches[2 * index], stretches[2 * index + 1]) }
    stretches.removeLast(stretches.count - half)
    width *= 2
  }

  private static func higher(_ first: HeapPoint, _ second: HeapPoint) -> HeapPoint {
    second.liveBytes > first.liveBytes ? second : first
  }
}
