// The commands, by name.
internal import ArgumentParser
internal import Foundation
internal import Harness

/// `batchmark`, or the executable's own name.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: Console.programName,
    abstract: "Measure how fast engines for object persistence store rows in SQLite, and at what price.",
    discussion: """
      Begin with 'run', which measures the scenario files given, or the default suite, and writes a report; 'init' writes a \
      scenario for your own rows. 'help scenarios', 'help statuses' and 'help figures' explain what no command's help does.

      Exit statuses: \(CommandStatus.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ")).
      """,
    version: Batchmark.version,
    subcommands: [
      RunCommand.self, InitCommand.self, CheckCommand.self, PairCommand.self, PlanCommand.self, CompareCommand.self,
      BaselineCommand.self,
      MergeCommand.self,
      ReportCommand.self,
      ListCommand.self,
      ValidateCommand.self, SchemaCommand.self,
      GenerateCommand.self, AnonymizeCommand.self, ProfileCommand.self, InspectCommand.self, WatchCommand.self,
      EnginesCommand.self,
      DoctorCommand.self, SelfTestCommand.self,
      HistoryCommand.self, TopicsCommand.self,
      WorkerCommand.self,
    ])

  static let _errorPrefix = "\(Console.programName): "
}
