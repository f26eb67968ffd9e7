// A session whose work is done by another process, and that process, which is the one to measure.

/// The process that does the work of a session where it is not this one.
package struct MeasuredProcess: Sendable, Hashable {
  /// Its number.
  package let number: Int64
  /// Where the meter that was preloaded into it writes; nil where none was.
  package let meterFolder: String?

  package init(number: Int64, meterFolder: String?) {
    self.number = number
    self.meterFolder = meterFolder
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
package protocol ProcessSession: InsertSession {
  /// The process; it exists as soon as the session does.
  var process: MeasuredProcess { get }
  /// Does what the store's layout wants beside the rows; called after what is measured.
  func insertHasEnded() throws
}
