// What a phase's stages came to.

/// The figures of a phase by stage.
///
/// Stages lie end to end: together with what is in none they are the whole phase.
package struct StageFigures: Codable, Sendable, Hashable {
  /// What was measured from the beginning of a stage to that of the next, over all its turns.
  package struct Figure: Codable, Sendable, Hashable {
    package var name: String
    /// How often the stage began.
    package var turns: Int64
    /// Elapsed time, with what the tracer itself took.
    package var nanoseconds: Int64
    /// Calls that allocated memory; 0 where time was measured.
    package var allocations: Int64
    /// Bytes those calls handed out.
    package var allocatedBytes: Int64

    package init(
      name: String, turns: Int64 = 0, nanoseconds: Int64 = 0, allocations: Int64 = 0, allocatedBytes: Int64 = 0
    ) {
      self.name = name
      self.turns = turns
      self.nanoseconds = nanoseconds
      self.allocations = allocations
      self.allocatedBytes = allocatedBytes
    }
  }

  /// The stages in the order in which each first began.
  package var stages: [Figure]
  /// What was in no stage.
  package var other: Figure
  /// What noting the beginning of one stage takes, in nanoseconds, as it was measured in the same process.
  package var markNanoseconds: Double

  package init(stages: [Figure], other: Figure, markNanoseconds: Double = 0) {
    self.stages = stages
    self.other = other
    self.markNanoseconds = markNanoseconds
  }

  /// The phase from its beginning to its end.
  package var totalNanoseconds: Int64 { sum(\.nanoseconds) }

  package var totalAllocations: Int64 { sum(\.allocations) }

  package var totalAllocatedBytes: Int64 { sum(\.allocatedBytes) }

  /// A stage's time without what the tracer took of it: each turn holds the noting of one beginning.
  package func ownNanoseconds(of figure: Figure) -> Double {
    max(0, Double(figure.nanoseconds) - Double(figure.turns) * markNanoseconds)
  }

  /// What the tracer itself took: with the stages' own times and that of the rest it is the whole.
  package var tracerNanoseconds: Double {
    Double(totalNanoseconds) - (stages + [other]).reduce(0) { $0 + ownNanoseconds(of: $1) }
  }

  /// The share of the time, without the tracer's, that is in a named stage; nil for a phase without time.
  package var coverage: Double? {
    let named = stages.reduce(0) { $0 + ownNanoseconds(of: $1) }
    let all = named + ownNanoseconds(of: other)
    return all > 0 ? named / all : nil
  }

  private func sum(_ figure: (Figure) -> Int64) -> Int64 { stages.reduce(figure(other)) { $0 + figure($1) } }
}
