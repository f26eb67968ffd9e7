// Errors have three layers: typed errors at their origin, the message and the status here, and the output in
// `Batchmark.main`.
internal import Analysis
internal import Foundation
internal import Harness
internal import CoreDataFiles
internal import Programs
internal import Reports
internal import BatchmarkEngine
internal import Scenarios
internal import Support

/// An error for the user: sentences, one per line, and the exit status.
struct CommandError: Error, Hashable, CustomStringConvertible {
  var status: CommandStatus
  var lines: [String]

  var message: String { lines.joined(separator: "\n") }

  var description: String { message }

  init(_ status: CommandStatus, _ message: String) { self.init(status, lines: [message]) }

  init(_ status: CommandStatus, lines: [String]) {
    self.status = status
    self.lines = lines.map(\.onOneLine.withoutExcess)
  }

  /// Converts any error to a message and a status.
  ///
  /// An unexpected one is an internal error.
  init(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as ScenarioErrors:
      // If every mistake is in a setting, the command line is wrong.
      let isUsage = !error.errors.isEmpty && error.errors.allSatisfy { $0.origin != nil && $0.namedFile == nil }
      let isUnreadable =
        !error.errors.isEmpty && error.errors.allSatisfy { $0.namedFile == .unreadable || $0.absentEngine != nil }
      self.init(isUnreadable ? .unreadableFile : isUsage ? .usage : .invalidFile, lines: error.lines)
    case let error as ScenarioFileError: self.init(.unreadableFile, error.description)
    case let error as SourceError:
      self.init(error.isUnreadable ? .unreadableFile : .invalidFile, error.description)
    case let error as ProgramError:
      self.init(error.isUnreadable ? .unreadableFile : .invalidFile, error.description)
    case let error as PairedCellsError: self.init(.notComparable, error.description)
    case let error as PrivateFolderError: self.init(.unwritableOutput, error.description)
    case let error as OutputError: self.init(.unwritableOutput, error.description)
    case let error as ReportError: self.init(CommandError.status(of: error), error.description)
    case let error as SelfTestJournalError:
      if case .other = error {
        self.init(.notComparable, error.description)
      } else {
        self.init(.invalidFile, error.description)
      }
    case let error as CoreDataFileError:
      if case .unreadable = error {
        self.init(.unreadableFile, error.description)
      } else {
        self.init(.invalidFile, error.description)
      }
    case let error as JournalError: self.init(CommandError.status(of: error), error.description)
    default: self.init(.internalError, "an unforeseen error: \(error)")
    }
  }

  private static func status(of error: ReportError) -> CommandStatus {
    switch error.problem {
    case .unwritable, .otherRecord, .unremovable: .unwritableOutput
    case .unreadable, .comparison, .noHistory: .unreadableFile
    case .notResults, .notAcceptedChanges: .invalidFile
    case .otherSchema: .notComparable
    case .unencodable: .internalError
    }
  }

  private static func status(of error: JournalError) -> CommandStatus {
    switch error {
    case .notBegun, .unwritable, .inUse: .unwritableOutput
    case .unreadable: .unreadableFile
    case .damaged, .empty: .invalidFile
    case .format: .notComparable
    }
  }
}
