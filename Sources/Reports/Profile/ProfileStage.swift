// The lines of a phase's table of stages: every stage, the rest, and the tracer's own time.
internal import Analysis

/// A line of the table.
struct ProfileStage: Codable {
  /// What the line describes.
  enum Kind: String, Codable, CaseIterable {
    case stage
    /// The time outside of stages.
    case other
    /// The cost of recording the stages.
    case tracer
    /// The whole phase.
    case phase
  }

  let kind: Kind
  let name: String
  /// How often the stage began; `nil` for lines that are not stages.
  let turns: Int64?
  /// Elapsed time without the tracer's; `nil` if it was not measured.
  let nanoseconds: Double?
  /// Its share of the phase.
  let share: Double?
  let allocations: Int64?
  let allocatedBytes: Int64?

  var seconds: Double? { nanoseconds.map { $0 / 1e9 } }

  /// All lines of a phase; the whole phase is the last one.
  static func lines(of phase: ProfiledPhase) -> [ProfileStage] {
    let (times, allocations) = (phase.times, phase.allocations)
    let total = times.map { Double($0.totalNanoseconds) } ?? 0
    func line(
      _ kind: Kind, _ name: String, turns: Int64?, _ nanoseconds: Double?, _ allocated: StageFigures.Figure?
    ) -> ProfileStage {
      ProfileStage(
        kind: kind, name: name, turns: turns, nanoseconds: nanoseconds,
        share: nanoseconds.flatMap { total > 0 ? $0 / total : nil }, allocations: allocated?.allocations,
        allocatedBytes: allocated?.allocatedBytes)
    }
    var lines = phase.stageNames.map { name in
      let timed = times?.stages.first { $0.name == name }
      let allocated = allocations?.stages.first { $0.name == name }
      return line(
        .stage, name, turns: timed?.turns ?? allocated?.turns, timed.flatMap { times?.ownNanoseconds(of: $0) },
        allocated)
    }
    lines.append(
      line(.other, "other", turns: nil, times.map { $0.ownNanoseconds(of: $0.other) }, allocations?.other))
    // The tracer allocates nothing.
    lines.append(
      line(
        .tracer, "tracer", turns: nil, times?.tracerNanoseconds,
        allocations.map { _ in StageFigures.Figure(name: "tracer") }))
    let all = allocations.map {
      StageFigures.Figure(
        name: "", allocations: $0.totalAllocations, allocatedBytes: $0.totalAllocatedBytes)
    }
    lines.append(line(.phase, phase.phase.rawValue, turns: nil, times.map { Double($0.totalNanoseconds) }, all))
    return lines
  }
}
