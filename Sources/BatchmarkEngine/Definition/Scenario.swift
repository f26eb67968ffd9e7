// What a scenario file says, once read and checked: no later stage meets a mistake of the file's author.
package import CoreDataModel
package import ObjectGraph

/// A checked scenario: a model, where rows come from, and the cells that store them.
package struct Scenario: Sendable {
  package var name: String
  package var description: String
  /// The exact figure that the question is about; nil where it is about time.
  ///
  /// It does not decide what is measured.
  package var about: MetricID?
  /// The other figures that the question names, in the file's order, time left out.
  package var alsoAbout: [MetricID] = []
  /// The file it was read from, as the user named it.
  package var file: String
  /// A hash of everything that decides what is measured: two scenarios with one fingerprint ask the same question.
  package var fingerprint: String

  package var model: ManagedObjectModel
  /// The entities whose rows the source gives, at least one: a store may give those of several.
  package var entityNames: [String]
  /// What the file that the model was read from leaves open, in whole sentences.
  package var modelRemarks: [String] = []
  /// The file or folder that the model was read from; nil where the scenario or its store has the model.
  package var modelFile: String?
  package var source: SourceDescription
  /// What the rows are linked to, in the file's order; empty for rows that stand alone.
  package var links: [Link] = []
  /// The list that an observing context shows; nil where no cell has one.
  package var list: ListDescription?
  /// What the scenario measures.
  package var operation: Operation
  /// Whether the store's pages are in memory when a fetch begins.
  package var pageCache = PageCacheState.warm
  /// How many times the source's rows are ingested into one store; at least 1.
  package var repeats: Int
  /// What happens to rows with one unique value; nil when the file gives none and none can occur.
  package var mergePolicy: MergePolicy?
  /// Pragmas with which every engine opens its store.
  ///
  /// They are in the file's order, except that those that only an empty store accepts come first.
  package var pragmas: [StorePragma]
  /// Who else uses the store while the operation is measured.
  package var beside = ConcurrentWork()
  package var cells: [Cell]
  /// Engines that the file's cells name and that are not here; their cells are left out.
  package var absentEngines: [AbsentEngine] = []
  /// Words that `--only` and `--skip` take for cells, beside those of their ids; they do not decide what is measured.
  package var tags = CellTags()
  package var measure: MeasureSettings
  /// What its figures must keep to, in the file's order; they do not decide what is measured.
  package var budgets: [Budget]
  /// How far its figures may change before `pair` fails; it does not decide what is measured either.
  package var gate = Gate()
  /// The scenario as each combination of a sweep makes it: by the conditions of cells, with those cells.
  ///
  /// Empty where no condition is swept. The scenario itself has the values of its first cells.
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

  /// The scenario of a cell, with its source, store and policy.
  package func variant(for cell: Cell) -> Scenario { variants[cell.conditions] ?? self }

  /// The entity whose rows the source gives, the first where it gives those of several.
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

/// What the system has of a store in memory when a fetch begins.
package enum PageCacheState: String, Sendable, Hashable, CaseIterable {
  /// All that was written, as far as memory allows.
  case warm
  /// Nothing: the rows are read from the disk.
  case cold
}

/// The tags of a scenario's cells.
package struct CellTags: Sendable, Hashable {
  /// Those of every cell.
  package var common: [String]
  /// Those of some cells, by id.
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
  /// Timed samples of each cell.
  package var rounds = 10
  /// How many of its rows a worker stores and forgets before it measures; all of them where it is more than there are.
  ///
  /// What a worker does once, whatever the rows, is done after a thousand.
  package var warmUpRows = 1_000
  /// The longest a sample may take, in seconds, before its worker is stopped.
  package var sampleLimit = 600.0
  /// How long a cell's timed samples may take together, in seconds, before its other rounds are left out; nil for any
  /// time.
  package var cellLimit: Double?

  package init(rounds: Int = 10, sampleLimit: Double = 600) {
    self.rounds = rounds
    self.sampleLimit = sampleLimit
  }
}
