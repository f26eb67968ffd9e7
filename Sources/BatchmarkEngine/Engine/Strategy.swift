// One way an engine does an operation, and what opens its session.

/// One way an engine does an operation.
///
/// ```swift
/// let strategy = Strategy(
///   "insert", summary: "plain SQL, one row a statement", tradeoffs: ["no objects", "no validation"],
///   .insert { setup, _ in try MySession(setup) })
/// ```
public struct Strategy: Sendable {
  /// The word scenarios know it by; strategies of different operations may share one.
  public var name: String
  /// The part it plays in a comparison.
  public var role: StrategyRole
  /// One line that says what it does.
  public var summary: String
  /// What it does in at most 40 characters, as pictures show it below its name; nil takes the beginning of the summary.
  public var gloss: String?
  /// What a user of this strategy does without, as short phrases ("no validation").
  public var tradeoffs: [String]
  /// What a cell may set; the reader fills in the defaults.
  public var parameters: [any ParameterDeclaration]
  /// When it gives rows their relationships; a scenario that links rows refuses a strategy that never does.
  public var relationships: RelationshipStorage
  /// Whether it stores the rows of several entities.
  public var storesSeveralEntities: Bool
  /// Whether it deletes, or takes out of relationships, what the delete rules of the model ask for; a scenario of trees
  /// refuses a strategy that does not.
  public var followsDeleteRules: Bool
  /// What it can do with stored rows beside reading them; a scenario that asks for more refuses it.
  public var abilities: Set<FetchAbility>
  /// Whether rows are read from the source while they are stored, which is other work than storing values at hand.
  package var isStreamed = false
  /// What opens a session of it.
  public var opening: Opening

  /// How a session of a strategy is opened, by what it does.
  ///
  /// It makes everything that the measured phase should not pay for: connections, statements. For an insert the store
  /// does not exist yet, and its schema is made here; for the others it exists, with the source's rows in it.
  public enum Opening: Sendable {
    /// Stores the source's rows.
    case insert(@Sendable (StoreSetup, Cell) throws -> any InsertSession)
    /// Gives stored rows the values.
    case update(@Sendable (StoreSetup, Cell, [Assignment]) throws -> any ChangeSession)
    /// Removes stored rows.
    case delete(@Sendable (StoreSetup, Cell) throws -> any ChangeSession)
    /// Reads stored rows.
    case fetch(@Sendable (StoreSetup, Cell) throws -> any FetchSession)
    /// Changes a store of the setup's model so that it fits the version.
    case migrate(@Sendable (StoreSetup, Cell, ModelVersion) throws -> any MigrationSession)
  }

  /// A strategy with the name that scenarios know it by, and what opens its sessions.
  public init(
    _ name: String, role: StrategyRole = .peer, summary: String, gloss: String? = nil,
    tradeoffs: [String] = [],
    parameters: [any ParameterDeclaration] = [], relationships: RelationshipStorage = .none,
    storesSeveralEntities: Bool = false, followsDeleteRules: Bool = false, abilities: Set<FetchAbility> = [],
    _ opening: Opening
  ) {
    self.name = name
    self.role = role
    self.summary = summary
    self.gloss = gloss
    self.tradeoffs = tradeoffs
    self.parameters = parameters
    self.relationships = relationships
    self.storesSeveralEntities = storesSeveralEntities
    self.followsDeleteRules = followsDeleteRules
    self.abilities = abilities
    self.opening = opening
  }

  /// What it does with rows.
  public var operation: Operation.Kind {
    switch opening {
    case .insert: .insert
    case .update: .update
    case .delete: .delete
    case .fetch: .fetch
    case .migrate: .migrate
    }
  }
}

/// When a strategy gives rows their relationships.
public enum RelationshipStorage: String, Sendable, Hashable, Codable, CaseIterable {
  /// Never: rows stand alone.
  case none
  /// With their values.
  case withRows = "with_rows"
  /// Those of a store's rows with their values; links of a scenario when all rows are stored.
  case linksAfterwards = "links_afterwards"
  /// When all of them are stored.
  case afterwards

  /// Whether rows are stored first and related then: those of a store, or those that the scenario links.
  package func isAfterwards(ofStore: Bool) -> Bool { self == .afterwards || self == .linksAfterwards && !ofStore }
}
