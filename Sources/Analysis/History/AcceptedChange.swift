// Expected changes: a file that people commit, with a reason for each change.
package import BatchmarkEngine
internal import Instruments

/// An expected change of a metric.
package struct AcceptedChange: Codable, Sendable, Hashable {
  package var cell: String
  package var phase: Phase
  /// As in ``HistoryKey``.
  package var figure: String
  /// The full hash of the commit at which the metric changed.
  package var commit: String
  /// The ratio of the levels after and before the change when it was accepted; `nil` if the level before was zero.
  package var ratio: Double?
  package var reason: String

  package init(_ change: HistoryChange, reason: String) {
    cell = change.key.cell
    phase = change.key.phase
    figure = change.key.figure
    commit = change.commit
    ratio = change.ratio
    self.reason = reason
  }
}

/// The file of accepted changes.
package struct AcceptedChanges: Codable, Sendable, Hashable {
  package static let currentSchemaVersion = 1

  package var schemaVersion: Int
  package private(set) var changes: [AcceptedChange]

  package init(_ changes: [AcceptedChange] = []) {
    schemaVersion = AcceptedChanges.currentSchemaVersion
    self.changes = changes
  }

  /// Adds a change, replacing an earlier entry for the same one.
  ///
  /// Changes are sorted, so that the file's diffs are small.
  package mutating func add(_ change: AcceptedChange) {
    changes.removeAll {
      ($0.cell, $0.phase, $0.figure, $0.commit) == (change.cell, change.phase, change.figure, change.commit)
    }
    changes.append(change)
    changes.sort {
      ($0.cell, $0.figure, $0.phase.rawValue, $0.commit) < ($1.cell, $1.figure, $1.phase.rawValue, $1.commit)
    }
  }
}
