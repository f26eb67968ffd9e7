// A session whose work is done by another process, and that process, which is the one to measure.

/// The process that does the work of a session, if that is not this process.
package struct MeasuredProcess: Sendable, Hashable {
  /// Its number.
  package let number: Int64
  /// The folder that its preloaded meter writes to; `nil` without a meter.
  package let meterFolder: String?
  /// Whether its runtime keeps values in a heap of its own, which the allocation meter does not see.
  package let managesHeap: Bool

  package init(number: Int64, meterFolder: String?, managesHeap: Bool = false) {
    self.number = number
    self.meterFolder = meterFolder
    self.managesHeap = managesHeap
  }
}

/// What a process that does the work is started with, so that instruments can look into it.
package struct ProcessMetering: Sendable, Hashable {
  /// Variables of its environment.
  package var variables: [String: String]
  /// Where its meter writes.
  package var folder: String

  package init(variables: [String: String], folder: String) {
    self.variables = variables
    self.folder = folder
  }
}

/// A session whose work another process does.
package protocol ProcessSession: StoreSession {
  /// The process; known once the session has its store open.
  var process: MeasuredProcess { get }
  /// What the work took by the process' own clock, which looks at nothing else; nil where it says nothing of it.
  var ownSeconds: Double? { get }
  /// Does the part of the work that does not count for its time; called after the measurement.
  ///
  /// - Parameter fetched: The rows of a fetch, which are handed over here: the process keeps them.
  /// - Throws: What the process answers that is not right.
  func workHasEnded(_ fetched: inout FetchedRows) throws
}
