// `inspect`: describes a Core Data store without showing the content of its rows.
internal import Foundation
internal import ArgumentParser
internal import CoreDataFiles
internal import Harness
internal import Reports

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a Core Data store contains, without touching it.",
    discussion: """
      The command reads a file that Core Data or ObjectGraph wrote, and shows its entities with their rows, \
      attributes and relationships, the sizes of tables and indexes, its history, free pages, the write-ahead log \
      beside it, and anomalies. It changes neither the file nor those beside it. It shows no value of a row unless \
      --values asks for it.

      With --integrity it checks the store instead. It runs SQLite's check of the file, then checks that every key \
      has its row, that every required relationship has an object, and that both ends of a relationship agree. A \
      store that ObjectGraph did not write has no copy of its model, which says which relationships are required and \
      which are one-to-one; give the model with --model to check these too.

      With --against it shows what opening the store with a model would do: nothing, an error, or a migration, with \
      what changes, what is lost and how long it takes here. It migrates a copy. For a folder it prints one line a \
      store.

      Exit statuses: 0 it was read, with or without anomalies; 65 a damaged file, or one that is no store; 66 a \
      missing one. With --integrity: 0 sound; 3 a damaged file or a broken rule; 65 a model that is invalid or does \
      not fit the store; 66 no store, or no model file. With --against: 0 each store opens; 3 one does not; 65 and \
      66 as above.
      """,
    examples: [
      CommandExample("inspect MyApp.sqlite", "What is in the store?"),
      CommandExample("inspect MyApp.sqlite --format json", "The same for a program."),
      CommandExample("inspect MyApp.sqlite --integrity", "Is the store sound?"),
      CommandExample(
        "inspect MyApp.sqlite --integrity --model MyApp.xcdatamodeld", "The same under every rule of your model."),
      CommandExample(
        "inspect Stores --against MyApp.xcdatamodeld", "Do the stores of all releases open with this model?"),
    ])

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, markdown, html, json
  }

  @Argument(
    help: "The store's file; with --against also a folder of stores.",
    completion: .file(extensions: ["sqlite", "store", "storedata", "db", "CDBStore"]))
  var store: String

  @Option(help: ArgumentHelp("How it is written.", valueName: "format"))
  var format: Format = .table

  @Flag(
    help: """
      Show each attribute's values too: how many are distinct, their range or lengths, and the most frequent. This \
      is content of the rows.
      """)
  var values = false

  @Flag(
    help: """
      Check the store: SQLite's check of the file, and the rules of an object graph for its rows. Show what was checked \
      and what was found.
      """)
  var integrity = false

  @Option(
    help: ArgumentHelp(
      "With --integrity: check the rules of this model, a .xcdatamodeld, a .xcdatamodel or the file contents in it.",
      valueName: "file"),
    completion: .file(extensions: ["xcdatamodeld", "xcdatamodel"]))
  var model: String?

  @Option(
    help: ArgumentHelp(
      "Show what opening the store with this model, a .xcdatamodeld or a .xcdatamodel, would do; the store does not change.",
      valueName: "model"), completion: .file(extensions: ["xcdatamodeld", "xcdatamodel"]))
  var against: String?

  func validate() throws {
    if against != nil && (integrity || values) {
      throw ValidationError("--against looks at no row; leave --integrity and --values out")
    }
    if model != nil && !integrity {
      throw ValidationError("--model is for the check of a store; add --integrity, or leave --model out")
    }
    if values && integrity {
      throw ValidationError("--integrity shows no values; leave --values or --integrity out")
    }
  }

  func run() throws {
    if integrity { return try check() }
    if let against { return try tryMigration(to: against) }
    let inspection = try StoreInspection(of: store, withValues: values)
    switch format {
    case .table: try Console.output(InspectionReport.lines(inspection))
    case .markdown: try Console.output(InspectionReport.markdown(inspection))
    case .html: try Console.output(encoded: InspectionReport.html(inspection))
    case .json: try Console.output(try InspectionReport.json(inspection))
    }
  }

  private func check() throws {
    let model = try self.model.map { try RecoveredModel(modelFileAt: $0) }
    let inspection: IntegrityInspection
    do {
      inspection = try IntegrityInspection(of: store, model: model)
    } catch {
      // A file that is not a store is not damaged, and a model that does not fit is not a fault of the store.
      let isOfOtherModel = model != nil && (try? RecoveredModel(storeAt: store)) != nil
      throw CommandError(isOfOtherModel ? .invalidFile : .unreadableFile, error.description)
    }
    switch format {
    case .table: try Console.output(InspectionReport.lines(inspection))
    case .markdown: try Console.output(InspectionReport.markdown(inspection))
    case .html: try Console.output(encoded: InspectionReport.html(inspection))
    case .json: try Console.output(try InspectionReport.json(inspection))
    }
    throw CommandEnd(inspection.isSound ? .success : .failedSamples)
  }
}
