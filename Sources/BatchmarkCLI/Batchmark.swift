// The entry point of Batchmark's own executable and of any other with its own engines.
internal import Analysis
internal import ArgumentParser
public import BatchmarkEngine
internal import Foundation
internal import Harness
internal import Reports
internal import Scenarios
internal import Support

/// The command line.
///
/// An executable with your own engine needs three lines:
///
/// ```swift
/// import BatchmarkCLI
/// import Engines
/// Batchmark.main(engines: BuiltInEngines.all + [MyEngine()])
/// ```
public enum Batchmark {
  /// The common version of the commands, the reports and the journal.
  public static let version = "0.2.0"

  /// The engines that scenarios may name.
  @TaskLocal static var engines: [any Engine] = []
  /// The file with some of these engines; `nil` if none was given.
  @TaskLocal static var enginesFile: String?
  /// The missing engines that scenarios may name.
  @TaskLocal static var absences = EngineAbsences.any

  /// The SQLite library that workers and programs use; `nil` for the system's.
  @TaskLocal static var library: SQLiteFile?

  /// The schema of scenarios.
  static var schema: ScenarioSchema { ScenarioSchema(engines, absences: absences) }

  /// Runs the command of the process's arguments and exits with its status.
  ///
  /// It runs on the current thread, which must be the only one of the process. A worker has no other threads than those
  /// that an engine starts. The harness has a thread that waits for signals, and one for the second worker of a pair.
  ///
  /// ```swift
  /// import BatchmarkCLI
  /// import Engines
  /// Batchmark.main(engines: BuiltInEngines.all)  // the command `batchmark` itself
  /// ```
  ///
  /// - Parameter engines: All engines that scenarios may name. Their names must differ.
  public static func main(engines: [any Engine]) -> Never {
    Console.openStandardStreams()
    // Beyond a file size limit (`ulimit -f`) a write should fail with the system's error, here and in workers.
    signal(SIGXFSZ, SIG_IGN)
    // If the parent ignores SIGCHLD, this process inherits that, and the system would report no status of its children.
    signal(SIGCHLD, SIG_DFL)
    let status = $engines.withValue(engines) { run(Array(CommandLine.arguments.dropFirst())) }
    fflush(nil)
    exit(status)
  }

  /// Parses and runs a command, and turns errors into a message and a status.
  private static func run(_ arguments: [String]) -> Int32 {
    do {
      switch arguments.first {
      // The harness has done all this before it starts a worker.
      case WorkerCommand.configuration.commandName: break
      // A watched program gets the signals and the descriptors that this process was given.
      case WatchCommand.configuration.commandName: PrivateFolder.sweep()
      default: try begin()
      }
      try checkNames()
      try checkArguments()
      try checkHelp(arguments)
      var command = try RootCommand.parseAsRoot(withNegativeValues(withTopics(arguments)))
      try command.run()
      return CommandStatus.success.rawValue
    } catch let status as CommandEnd {
      return status.status.rawValue
    } catch let end as ProgramEnd {
      return end.status
    } catch {
      return report(error).rawValue
    }
  }

  /// Passes `help TOPIC` on to the command with the topics.
  private static func withTopics(_ arguments: [String]) -> [String] {
    guard arguments.first == "help", arguments.count == 2, TopicsCommand.Topic(rawValue: arguments[1]) != nil else {
      return arguments
    }
    return [TopicsCommand.configuration.commandName ?? "", arguments[1]]
  }

  /// Joins a negative value to its option, as in `--rounds=-1`.
  ///
  /// The parser takes a word that begins with `-` for an option, and would report a missing value. With the value
  /// joined, the option itself reports what it expects.
  static func withNegativeValues(_ arguments: [String]) -> [String] {
    let own = arguments.prefix { $0 != "--" }
    var words: [String] = []
    for word in own {
      if word.first == "-", word.dropFirst().first?.isASCII == true, word.dropFirst().first?.isWholeNumber == true,
        let option = words.last, option.hasPrefix("--"), !option.contains("=")
      {
        words[words.count - 1] = option + "=" + word
      } else {
        words.append(word)
      }
    }
    return words + arguments.dropFirst(own.count)
  }

  /// Refuses a word after `help` that is neither a command nor a topic, because the parser would show the general help.
  private static func checkHelp(_ arguments: [String]) throws(CommandError) {
    guard arguments.first == "help" else { return }
    var commands = RootCommand.configuration.subcommands
    var others = TopicsCommand.Topic.allCases.map(\.rawValue) + ["help"]
    for word in arguments.dropFirst() {
      if word.hasPrefix("-") || others.contains(word) { return }
      guard
        let found = commands.first(where: { command in
          command.configuration.commandName == word || command.configuration.aliases.contains(word)
        })
      else {
        let names = commands.filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }
        let nearest = nearestWord(to: word, among: names + others).map { "; did you mean '\($0)'?" } ?? ""
        throw CommandError(
          .usage,
          "\(arguments.joined(separator: " ")): found no command or topic '\(word)'; 'help' lists them\(nearest)")
      }
      (commands, others) = (found.configuration.subcommands, [])
    }
  }

  /// The first steps of every command.
  private static func begin() throws(CommandError) {
    try ProcessLimits.check()
    Console.keepDescriptors()
    Interrupts.watch()
    PrivateFolder.sweep()
  }

  private static func report(_ error: any Error) -> CommandStatus {
    let code = RootCommand.exitCode(for: error)
    if code.isSuccess {
      // The user asked for the help or the version.
      do throws(CommandError) { try Console.output(RootCommand.fullMessage(for: error) + "\n") } catch {
        return error.status
      }
      return .success
    }
    if code == .validationFailure {
      // The usage follows on separate lines; the user's text stays on the first line.
      let message = RootCommand.message(for: error)
      let full = RootCommand.fullMessage(for: error)
      let whole = message.isEmpty ? full : full.replacing(message, with: message.onOneLine)
      Console.complain(lines: whole.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
      return .usage
    }
    let error = CommandError(error)
    Console.complain(lines: error.lines)
    return error.status
  }

  private static func checkNames() throws(CommandError) {
    let names = engines.map(\.name)
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      throw CommandError(.internalError, "two engines are named '\(name)'; give each a name of its own")
    }
  }
}

/// Ends a command that has printed everything, with this status.
struct CommandEnd: Error {
  var status: CommandStatus

  init(_ status: CommandStatus) { self.status = status }
}

extension Batchmark {
  /// Refuses arguments and a current directory that are not UTF-8: as text they would name other files.
  private static func checkArguments() throws(CommandError) {
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let argument = CommandLine.unsafeArgv[index], let shown = unreadable(argument) else { continue }
      throw CommandError(
        .usage, "the argument \(shown) is not text in UTF-8; rename the file, or name it by a link with another name")
    }
    guard let folder = getcwd(nil, 0) else { return }
    defer { free(folder) }
    guard let shown = unreadable(folder) else { return }
    throw CommandError(
      .unreadableFile, "the name of the folder \(shown) is not text in UTF-8; rename it, or work in another folder")
  }

  /// Bytes for a message, with all except printable ASCII in hexadecimal; `nil` for valid UTF-8.
  private static func unreadable(_ bytes: UnsafePointer<CChar>) -> String? {
    guard String(validatingCString: bytes) == nil else { return nil }
    let bytes = UnsafeRawBufferPointer(start: bytes, count: strlen(bytes))
    return bytes.map { byte in
      (0x20..<0x7F).contains(byte)
        ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
