// Errors in writing results to files and reading them, with advice.

/// A report that cannot be written, or stored results that cannot be read.
package struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong with the file.
  package enum Problem: Sendable, Hashable {
    /// A system call failed while writing the file; `errorNumber` is its `errno`, `message` the system's text for it.
    case unwritable(step: WritingStep, errorNumber: Int32, message: String)
    /// The file cannot be read, for this reason.
    case unreadable(reason: String)
    /// The folder belongs to a comparison and has no results of a run.
    case comparison
    /// The file is not a results file.
    case notResults(details: String)
    /// The results have another schema version.
    case otherSchema(found: Int, expected: Int)
    /// The named folder has no history.
    case noHistory
    /// Something else, such as another record, has the name of the run in the history.
    case otherRecord
    /// A record cannot be removed.
    case unremovable(reason: String)
    /// The file does not contain accepted changes.
    case notAcceptedChanges(details: String)
    /// The results cannot be encoded as JSON.
    case unencodable(details: String)
  }

  /// The steps of writing a file, in order.
  package enum WritingStep: String, Sendable, Hashable {
    case createDirectory = "create the directory"
    case open = "create the file"
    case write = "write"
    case synchronize = "flush to the disk"
    case close = "close the file"
    case rename = "move the finished file into place"
  }

  /// The path of the file or directory, as given.
  package let file: String
  package let problem: Problem

  package init(file: String, problem: Problem) {
    self.file = file
    self.problem = problem
  }

  /// What failed if a file could not be written, without advice; `nil` for other errors.
  package var obstacle: String? {
    guard case .unwritable(let step, _, let message) = problem else { return nil }
    return "\(file): cannot \(step.rawValue): \(message)"
  }

  package var description: String {
    switch problem {
    case .unwritable: "\(obstacle ?? file); \(advice)"
    case .unreadable(let reason):
      "\(file): cannot read: \(reason); name another file"
    case .comparison:
      "\(file): found the folder of a comparison; expected that of a run: for other tools, a comparison has its junit.xml, and "
        + "'report --format json' prints its verdicts"
    case .notResults(let details):
      "\(file): not a results file: \(details); name a results.json that a run wrote"
    case .otherSchema(let found, let expected):
      "\(file): results of schema version \(found), expected \(expected); "
        + "read it with the version of batchmark that wrote it, or run again"
    case .noHistory:
      "\(file): found no folder of a history; begin one with 'history add', or name another with --history"
    case .otherRecord:
      "\(file): found another file in the place of this run's record, which is never replaced; remove it to add the run again"
    case .unremovable(let reason):
      "\(file) cannot be removed: \(reason); allow writing to its folder"
    case .notAcceptedChanges(let details):
      "\(file): no file of accepted changes: \(details); restore it from git, or name another with --accepted"
    case .unencodable(let details):
      "\(file): the results cannot be put into JSON: \(details); the other files hold the same figures"
    }
  }
}
