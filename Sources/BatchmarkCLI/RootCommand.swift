// The commands, by name.
internal import ArgumentParser
internal import Foundation

/// `batchmark`, or whatever the executable is called.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: Console.programName,
    abstract: "Measures how fast, and at what price, object persistence engines store rows in SQLite.",
    discussion: """
      Begin with 'run', which measures the scenario files given, or the default suite, and writes a report.

      Exit statuses: 0 all held; 1 a regression or a broken budget; 3 a sample failed or stored the wrong rows; 4 what is to be compared is \
      missing or not comparable; 5 nothing can be told; 6 nothing can be trusted; 64 wrong usage; 65 an invalid file; 66 a missing or unreadable one; 70 an internal error; \
      73 output that cannot be written or exists already; 130 interrupted, everything measured so far kept.
      """,
    version: Batchmark.version,
    subcommands: [
      RunCommand.self, CheckCommand.self, PairCommand.self, PlanCommand.self, CompareCommand.self, BaselineCommand.self,
      MergeCommand.self,
      ReportCommand.self,
      ListCommand.self,
      ValidateCommand.self, SchemaCommand.self,
      GenerateCommand.self, AnonymizeCommand.self, ProfileCommand.self, InspectCommand.self,
      DoctorCommand.self, SelfTestCommand.self,
      HistoryCommand.self,
      WorkerCommand.self,
    ])

  static let _errorPrefix = "\(Console.programName): "
}
