// Work of a program that another process did, which the program started: its memory is not counted with the program's.
internal import BatchmarkEngine
internal import Support

/// Whether other processes than the measured one ran statements in a phase.
struct OtherProcesses {
  private var before: Int64 = 0
  private var worked = false

  mutating func phaseBegins(of process: MeasuredProcess) { before = process.statementsOfOthers }

  mutating func phaseEnds(of process: MeasuredProcess) { if process.statementsOfOthers > before { worked = true } }

  /// Why figures of memory are missing; nothing where they hold.
  func absences(_ metrics: [MetricID]) -> [MetricAbsence] {
    worked
      ? [
        MetricAbsence(
          metrics, because: "a process that the program started did a part of its work, and its memory is not counted")
      ] : []
  }
}

extension MeasuredProcess {
  /// Statements run by processes that it started.
  fileprivate var statementsOfOthers: Int64 {
    readings().filter { $0.process != number }.flatMap(\.databases).reduce(0) { $0.addingClamped($1.statements) }
  }
}
