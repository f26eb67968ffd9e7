// The figures of a phase's stages.

/// The figures of a phase by stage.
///
/// Stages follow each other without overlap. Together with ``other`` they make up the whole phase.
package struct StageFigures: Codable, Sendable, Hashable {
  /// The measurements from the beginning of a stage to the beginning of the next, summed over all its turns.
  package struct Figure: Codable, Sendable, Hashable {
    package var name: String
    /// How often the stage began.
    package var turns: Int64
    /// Elapsed time, including the tracer's own.
    package var nanoseconds: Int64
    /// Calls that allocated memory; 0 if time was measured.
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
  /// Everything outside of any stage.
  package var other: Figure
  /// The cost of recording the beginning of a stage, in nanoseconds, measured in the same process.
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

  /// A stage's time without the tracer's: each turn includes recording one beginning.
  package func ownNanoseconds(of figure: Figure) -> Double {
    max(0, Double(figure.nanoseconds) - Double(figure.turns) * markNanoseconds)
  }

  /// The tracer's own time.
  ///
  /// The stages' own times, the rest and this add up to the whole.
  package var tracerNanoseconds: Double {
    Double(totalNanoseconds) - (stages + [other]).reduce(0) { $0 + ownNanoseconds(of: $1) }
  }

  /// The share of the time, without the tracer's, that is in a named stage; `nil` for a phase without time.
  package var coverage: Double? {
    let named = stages.reduce(0) { $0 + ownNanoseconds(of: $1) }
    let all = named + ownNanoseconds(of: other)
    return all > 0 ? named / all : nil
  }

  private func sum(_ figure: (Figure) -> Int64) -> Int64 { stages.reduce(figure(other)) { $0 + figure($1) } }
}
