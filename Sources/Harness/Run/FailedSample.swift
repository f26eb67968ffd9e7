// A sample that failed, as the journal and the results keep it.
package import Instruments

/// A sample whose worker died, hung, failed, or stored the wrong rows.
package struct FailedSample: Codable, Sendable, Hashable {
  package var cell: String
  package var pass: Pass
  package var round: Int
  /// What happened, in one sentence.
  package var reason: String
  /// The last of what the worker wrote to standard error.
  package var standardError: String

  package init(cell: String, pass: Pass, round: Int, reason: String, standardError: String) {
    self.cell = cell
    self.pass = pass
    self.round = round
    self.reason = reason
    self.standardError = standardError
  }
}
