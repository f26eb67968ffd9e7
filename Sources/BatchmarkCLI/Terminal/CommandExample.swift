// Examples at the end of every command's help.
internal import ArgumentParser

/// A command line as a user types it, and its purpose.
struct CommandExample {
  /// The arguments after the program's name, quoted for a shell.
  let words: String
  /// The purpose, as a sentence or a question.
  let purpose: String

  init(_ words: String, _ purpose: String) {
    self.words = words
    self.purpose = purpose
  }

  /// The heading above examples.
  static let heading = "Examples:"
}

extension CommandConfiguration {
  /// The configuration of a command with examples at the end of its help.
  ///
  /// - Parameters:
  ///   - commandName: The command's name.
  ///   - abstract: What it does, in one sentence.
  ///   - discussion: An explanation beyond its options; empty if they are enough.
  ///   - examples: Typical command lines, the most frequent first.
  ///   - subcommands: The commands below it.
  ///   - defaultSubcommand: The one that runs if none is named.
  ///   - aliases: Its other names.
  ///   - shouldDisplay: Whether it is in the list of commands.
  init(
    commandName: String, abstract: String, discussion: String = "", examples: [CommandExample],
    subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil,
    aliases: [String] = [], shouldDisplay: Bool = true
  ) {
    let lines = examples.map { "  # \($0.purpose)\n  \(Console.programName) \($0.words)" }
    let shown = CommandExample.heading + "\n" + lines.joined(separator: "\n")
    self.init(
      commandName: commandName, abstract: abstract,
      discussion: discussion.isEmpty ? shown : discussion + "\n\n" + shown, shouldDisplay: shouldDisplay,
      subcommands: subcommands, defaultSubcommand: defaultSubcommand, aliases: aliases)
  }
}
