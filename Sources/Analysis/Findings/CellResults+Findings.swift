// What can be said about one cell: its name in a report, its hash, why a figure of it is missing.
package import Harness
package import Instruments
internal import Scenarios

extension Cell {
  /// The name in a report on one scenario: strategy and parameters, after the engine unless it is ObjectGraph.
  package var label: String {
    let list = parametersText
    let named = strategy + (list.isEmpty ? "" : "[\(list)]")
    return isObjectGraph ? named : "\(engine)/\(named)"
  }

  /// Whether the cell stores through the object graph, whose strategies are what a report compares first.
  package var isObjectGraph: Bool { isSave || isBatch }

  /// Whether rows are saved object by object.
  package var isSave: Bool { role == .objectByObject }

  /// Whether rows are inserted in batches that pass by the context.
  package var isBatch: Bool { role.isBatch }
}

extension CellResults {
  package var label: String { cell.label }

  /// The phase that the cell is about: ingest, or the update or delete.
  package var mainPhase: Phase { cell.operation.phase }

  /// The summary of the phase that the cell is about.
  package var main: PhaseSummary? { summary(of: mainPhase) }

  /// The hash of what every sample stored; nil without samples and when they differ.
  package var contentHash: String? {
    let hashes = Set(samples.map(\.contents.contentHash))
    return hashes.count == 1 ? hashes.first : nil
  }

  /// A sample that tells of files on disk: one of the counters pass where there is one.
  package var storeSample: Sample? { samples.first { $0.pass == .counters } ?? samples.first }

  /// Why a metric of a phase is not there.
  package func absence(of metric: MetricID, in phase: Phase) -> String { absence(of: metric.pass, in: phase) }

  /// Why a phase has no time, or nothing that follows from one.
  package func absenceOfTime(in phase: Phase) -> String {
    let isMeasured = samples.contains { sample in
      sample.pass == .timing && sample.phases.contains { $0.phase == phase && $0.wallSeconds != nil }
    }
    return isMeasured && summary(of: phase)?.wall == nil
      ? "another sample failed in each of its timed rounds" : absence(of: .timing, in: phase)
  }

  /// Why a phase has nothing of a pass.
  func absence(of pass: Pass, in phase: Phase) -> String {
    let taken = samples.filter { $0.pass == pass }
    let failed = failures.contains { $0.pass == pass }
    if taken.isEmpty {
      return switch (failed, missing > 0) {
      case (true, false): "every sample of the \(pass.rawValue) pass failed"
      case (true, true): "the samples of the \(pass.rawValue) pass failed or were not taken"
      case (false, true): "the run ended before the \(pass.rawValue) pass"
      case (false, false): "no sample of the \(pass.rawValue) pass was taken"
      }
    }
    guard taken.contains(where: { sample in sample.phases.contains { $0.phase == phase } }) else {
      return "the \(phase.rawValue) phase is not part of the \(pass.rawValue) pass"
    }
    var notes: [String] = []
    for note in taken.flatMap(\.notes) where !notes.contains(note) { notes.append(note) }
    return "the worker did not measure it" + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }
}
