// Several trials of one worker, as one measurement a phase.
internal import BatchmarkEngine

extension PhaseMeasurement {
  /// Of each phase the measurement whose wall time is in the middle, with the wall times of all.
  ///
  /// The lower of two middle ones, so that every figure is one that was measured.
  static func middle(of trials: [[PhaseMeasurement]]) -> [PhaseMeasurement] {
    guard let last = trials.last else { return [] }
    return last.map { measurement in
      let same = trials.compactMap { trial in trial.first { $0.phase == measurement.phase } }
      let ordered = same.sorted { ($0.wallSeconds ?? 0) < ($1.wallSeconds ?? 0) }
      guard measurement.phase != .load, !ordered.isEmpty else { return measurement }
      var middle = ordered[(ordered.count - 1) / 2]
      middle.trialWallSeconds = same.compactMap(\.wallSeconds)
      let probes = same.compactMap(\.probeSeconds)
      middle.trialProbeSeconds = probes.count == same.count ? probes : nil
      return middle
    }
  }
}
