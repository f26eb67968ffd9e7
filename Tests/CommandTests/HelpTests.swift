// The end of each command's help.
internal import ArgumentParser
internal import Foundation
import MissionTags
internal import Testing

@testable import BatchmarkCLI

@Suite("A1 · help texts", .tags(.a1))
struct HelpTests {
  /// A visible command, with the words that call it.
  struct Entry {
    let path: [String]
    let type: any ParsableCommand.Type
  }

  static func commands(below command: any ParsableCommand.Type, path: [String]) -> [Entry] {
    var entries: [Entry] = []
    for child in command.configuration.subcommands where child.configuration.shouldDisplay {
      let words = path + [child.configuration.commandName ?? ""]
      entries.append(Entry(path: words, type: child))
      entries += commands(below: child, path: words)
    }
    return entries
  }

  /// The words of a line, as a shell would split them, up to a redirection of output.
  static func words(of line: Substring) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      switch character {
      case quote: quote = nil
      case "'" where quote == nil, "\"" where quote == nil: (quote, word) = (character, word ?? "")
      case " " where quote == nil:
        if let finished = word { words.append(finished) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return Array((words + (word.map { [$0] } ?? [])).prefix { $0 != ">" })
  }

  @Test("Help states an option's default in the same words as the pages")
  func defaults() throws {
    let commands = HelpTests.commands(below: RootCommand.self, path: [])
    try #require(!commands.isEmpty)
    for entry in commands {
      let help = RootCommand.helpMessage(for: entry.type, columns: 1_000)
      #expect(!help.contains("without it"), "\(entry.path)")
    }
  }

  @Test(
    "Help of a word that is neither a command nor a topic is wrong usage, with the nearest word",
    arguments: [
      (
        ["help", "figurs"],
        "help figurs: found no command or topic 'figurs'; 'help' lists them; did you mean 'figures'?"
      ),
      (["help", "history", "prun"], "help history prun: found no command or topic 'prun'"),
    ])
  func unknownWord(words: [String], message: String) async throws {
    let workspace = try Workspace()
    let refused = try await Program.batchmark.run(words, in: workspace.path)
    #expect(refused.status == 64 && refused.errors.contains(message) && refused.output.isEmpty, "\(refused.errors)")
    for known in [["help", "anonymise"], ["help", "history", "prune"], ["help", "figures"], ["help", "run"]] {
      #expect(try await Program.batchmark.run(known, in: workspace.path).status == 0, "\(known)")
    }
  }

  @Test("The help of every command ends with examples of it that the program takes")
  func examples() throws {
    let commands = Self.commands(below: RootCommand.self, path: [])
    #expect(commands.count > 25)
    for command in commands {
      let (path, type) = (command.path, command.type)
      let name = path.joined(separator: " ")
      let help = RootCommand.helpMessage(for: type, columns: 71 + Console.programName.count)
      let discussion = type.configuration.discussion
      let parts = discussion.components(separatedBy: CommandExample.heading)
      guard parts.count == 2 else {
        Issue.record("The help of \(name) has no examples.")
        continue
      }
      let lines = parts[1].split(separator: "\n")
      let examples = lines.filter { $0.hasPrefix("  \(Console.programName) ") }
      #expect(!examples.isEmpty && lines.count == 2 * examples.count, "\(name)")
      for example in examples {
        // It is on one line, so that it can be copied.
        #expect(help.contains(example) && example.dropFirst(2 + Console.programName.count).count <= 68, "\(example)")
        let words = Self.words(of: example.dropFirst(3 + Console.programName.count))
        #expect(words.starts(with: path), "\(example)")
        do {
          let parsed = try RootCommand.parseAsRoot(words)
          // A command with subcommands has an example for one of those.
          #expect(Swift.type(of: parsed) == type || !type.configuration.subcommands.isEmpty, "\(example)")
        } catch {
          Issue.record("\(example): \(RootCommand.message(for: error))")
        }
      }
    }
  }
}
