// The contents of a scenario file after reading and checking: later stages find no mistakes of the file's author.
package import CoreDataModel
package import ObjectGraph

/// A checked scenario: a model, a source of rows, and the cells that store them.
package struct Scenario: Sendable {
  package var name: String
  package var description: String
  /// The exact metric that the question asks about; `nil` for time.
  ///
  /// It does not affect what is measured.
  package var about: MetricID?
  /// The other metrics that the question names, in the file's order, without time.
  package var alsoAbout: [MetricID] = []
  /// The path of the file, as the user gave it.
  package var file: String
  /// A hash of everything that determines what is measured.
  ///
  /// Two scenarios with the same fingerprint ask the same question.
  package var fingerprint: String

  package var model: ManagedObjectModel
  /// The entities of the source's rows, at least one.
  ///
  /// A store may have rows of several.
  package var entityNames: [String]
  /// Remarks about unsupported parts of the model's file, in whole sentences.
  package var modelRemarks: [String] = []
  /// The file or folder of the model; `nil` if the scenario or its store contains the model.
  package var modelFile: String?
  package var source: SourceDescription
  /// The links of the rows, in the file's order; empty for rows without links.
  package var links: [Link] = []
  /// The list that an observing context shows; `nil` if no cell has one.
  package var list: ListDescription?
  /// What the scenario measures.
  package var operation: Operation
  /// Whether the store's pages are in memory at the beginning of a fetch.
  package var pageCache = PageCacheState.warm
  /// How many times the source's rows are ingested into one store; at least 1.
  package var repeats: Int
  /// What happens to rows with the same unique value; `nil` if the file does not say, and there are none.
  package var mergePolicy: MergePolicy?
  /// Pragmas with which every engine opens its store.
  ///
  /// They are in the file's order, except that those that only work on an empty store come first.
  package var pragmas: [StorePragma]
  /// The concurrent readers and writers during the operation.
  package var beside = ConcurrentWork()
  package var cells: [Cell]
  /// Missing engines that the file's cells name.
  ///
  /// Their cells are left out.
  package var absentEngines: [AbsentEngine] = []
  /// Words for cells in `--only` and `--skip`, in addition to those of their ids.
  ///
  /// They do not affect what is measured.
  package var tags = CellTags()
  package var measure: MeasureSettings
  /// The budgets for its metrics, in the file's order.
  ///
  /// They do not affect what is measured.
  package var budgets: [Budget]
  /// How far its metrics may change before `pair` fails.
  ///
  /// It does not affect what is measured either.
  package var gate = Gate()
  /// The scenario for each combination of a sweep, by the conditions of its cells, with these cells.
  ///
  /// It is empty if no condition is swept. The scenario itself has the values of its first cells.
  package var variants: [[String: ParameterValue]: Scenario] = [:]

  package init(
    name: String, description: String, file: String, fingerprint: String, model: ManagedObjectModel,
    entityName: String, source: SourceDescription, operation: Operation = .insert, repeats: Int,
    mergePolicy: MergePolicy?, pragmas: [StorePragma] = [], cells: [Cell], measure: MeasureSettings
  ) {
    self.name = name
    self.description = description
    self.file = file
    self.fingerprint = fingerprint
    self.model = model
    entityNames = [entityName]
    self.source = source
    self.operation = operation
    self.repeats = repeats
    self.mergePolicy = mergePolicy
    self.pragmas = pragmas
    self.cells = cells
    self.measure = measure
    budgets = []
  }

  /// The scenario for a cell, with its source, store and policy.
  package func variant(for cell: Cell) -> Scenario { variants[cell.conditions] ?? self }

  /// The entity of the source's rows, the first one if there are several.
  package var entityName: String { entityNames.first ?? "" }

  package var entity: EntityDescription? { model[entityName] }
}

/// A pragma of the store: its SQLite name and the value to set, both as SQLite spells them.
public struct StorePragma: Sendable, Hashable, Codable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// How much of a store the system has in memory at the beginning of a fetch.
package enum PageCacheState: String, Sendable, Hashable, CaseIterable {
  /// Everything that was written, as far as memory allows.
  case warm
  /// Nothing: the rows are read from disk.
  case cold
}

/// The tags of a scenario's cells.
package struct CellTags: Sendable, Hashable {
  /// The tags of every cell.
  package var common: [String]
  /// The tags of some cells, by id.
  package var own: [String: [String]]

  package init(common: [String] = [], own: [String: [String]] = [:]) {
    self.common = common
    self.own = own
  }

  /// The tags of a cell, the scenario's first.
  package subscript(cell: Cell) -> [String] { common + (own[cell.id] ?? []) }
}

/// How often and how long a scenario is measured.
package struct MeasureSettings: Sendable, Hashable {
  /// Timed samples per cell.
  package var rounds = 10
  /// How many rows a worker stores and discards before it measures, at most all of them.
  ///
  /// After a thousand rows, a worker has done its one-time work.
  package var warmUpRows = 1_000
  /// The time limit for a sample in seconds; after it, the worker is stopped.
  package var sampleLimit = 600.0
  /// The time limit in seconds for all timed samples of a cell; after it, the other rounds are skipped.
  ///
  /// `nil` for no limit.
  package var cellLimit: Double?

  package init(rounds: Int = 10, sampleLimit: Double = 600) {
    self.rounds = rounds
    self.sampleLimit = sampleLimit
  }
}
