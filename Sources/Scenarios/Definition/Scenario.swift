// What a scenario file says, once read and checked: no later stage meets a mistake of the file's author.
public import CoreDataModel
public import ObjectGraph

/// A checked scenario: a model, where rows come from, and the cells that store them.
public struct Scenario: Sendable {
  public var name: String
  public var description: String
  /// The file it was read from, as the user named it.
  public var file: String
  /// A hash of everything that decides what is measured: two scenarios with one fingerprint ask the same question.
  public var fingerprint: String

  public var model: ManagedObjectModel
  /// The entities whose rows the source gives, at least one: a store may give those of several.
  public var entityNames: [String]
  /// What the file that the model was read from leaves open, in whole sentences.
  public var modelRemarks: [String] = []
  /// The file or folder that the model was read from; nil where the scenario or its store has the model.
  public var modelFile: String?
  public var source: SourceDescription
  /// What the rows are linked to, in the file's order; empty for rows that stand alone.
  public var links: [Link] = []
  /// What the scenario measures.
  public var operation: Operation
  /// How many times the source's rows are ingested into one store; at least 1.
  public var repeats: Int
  /// What happens to rows with one unique value; nil when the file gives none and none can occur.
  public var mergePolicy: MergePolicy?
  /// Pragmas of the store, in the file's order but for those that only an empty store takes, which come first; every
  /// engine opens its store with them.
  public var pragmas: [StorePragma]
  public var cells: [Cell]
  /// Words that `--only` and `--skip` take for cells, beside those of their ids; they do not decide what is measured.
  public var tags = CellTags()
  /// Timed samples of each cell.
  public var rounds: Int
  /// How many of its rows a worker stores and forgets before it measures; all of them where it is more than there are.
  public var warmUpRows: Int
  /// The longest a sample may take, in seconds, before its worker is stopped.
  public var sampleLimit: Double
  /// How long a cell's timed samples may take together, in seconds, before its other rounds are left out; nil for any
  /// time.
  public var cellLimit: Double?
  /// What its figures must keep to, in the file's order; they do not decide what is measured.
  public var budgets: [Budget]
  /// How far its figures may change before `pair` fails; it does not decide what is measured either.
  public var gate = Gate()
  /// The scenario as each combination of a sweep makes it: by the conditions of cells, with those cells.
  ///
  /// Empty where no condition is swept. The scenario itself is as its first cells have it.
  public var variants: [[String: ParameterValue]: Scenario] = [:]

  public init(
    name: String, description: String, file: String, fingerprint: String, model: ManagedObjectModel,
    entityName: String, source: SourceDescription, operation: Operation = .insert, repeats: Int,
    mergePolicy: MergePolicy?,
    pragmas: [StorePragma], cells: [Cell], rounds: Int, warmUpRows: Int = Scenario.standardWarmUpRows,
    sampleLimit: Double, budgets: [Budget] = []
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
    self.rounds = rounds
    self.warmUpRows = warmUpRows
    self.sampleLimit = sampleLimit
    self.budgets = budgets
  }

  /// The scenario as a cell has it: with its source, store and policy.
  public func variant(for cell: Cell) -> Scenario { variants[cell.conditions] ?? self }

  /// What a worker does once, whatever the rows, is done after a thousand.
  public static let standardWarmUpRows = 1_000

  /// The entity whose rows the source gives, the first where it gives those of several.
  public var entityName: String { entityNames.first ?? "" }

  /// The entity of that name.
  public var entity: EntityDescription? { model[entityName] }
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
