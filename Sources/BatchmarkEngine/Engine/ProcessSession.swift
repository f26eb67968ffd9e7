// A session that delegates its work to another process, and this process, which must be measured instead.

/// The process that does the work of a session, if that is not this process.
package struct MeasuredProcess: Sendable, Hashable {
  /// The process id.
  package let number: Int64
  /// The folder that its preloaded meter writes to; `nil` without a meter.
  package let meterFolder: String?
  /// Whether its runtime manages its own heap, which the allocation meter does not see.
  package let managesHeap: Bool

  package init(number: Int64, meterFolder: String?, managesHeap: Bool = false) {
    self.number = number
    self.meterFolder = meterFolder
    self.managesHeap = managesHeap
  }
}

/// How to start a process that does the work, so that instruments can measure it.
package struct ProcessMetering: Sendable, Hashable {
  /// Its environment variables.
  package var variables: [String: String]
  /// The folder that its meter writes to.
  package var folder: String

  package init(variables: [String: String], folder: String) {
    self.variables = variables
    self.folder = folder
  }
}

/// A session with its work done by another process.
package protocol ProcessSession: StoreSession {
  /// The process, which is known once the session has opened its store.
  var process: MeasuredProcess { get }
  /// The time of the work by the process's own clock; `nil` if it does not report it.
  var ownSeconds: Double? { get }
  /// Does the untimed rest of the work. The harness calls it after the measurement.
  ///
  /// - Parameter fetched: Receives the rows of a fetch, which the process has kept until now.
  /// - Throws: An error for a wrong answer of the process.
  func workHasEnded(_ fetched: inout FetchedRows) throws
}
