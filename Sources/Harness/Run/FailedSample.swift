// A sample that failed, as the journal and the results keep it.
public import Instruments
internal import Workloads

/// A sample whose worker died, hung, failed, or stored the wrong rows.
public struct FailedSample: Codable, Sendable, Hashable {
  public var cell: String
  public var pass: Pass
  public var round: Int
  /// What happened, in one sentence.
  public var reason: String
  /// The last of what the worker wrote to standard error.
  public var standardError: String

  public init(cell: String, pass: Pass, round: Int, reason: String, standardError: String) {
    self.cell = cell
    self.pass = pass
    self.round = round
    self.reason = reason
    self.standardError = standardError
  }
}
