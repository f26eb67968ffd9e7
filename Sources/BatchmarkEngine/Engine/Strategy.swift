// One way an engine performs an operation, and how to open its session.

/// One way an engine performs an operation.
///
/// ```swift
/// let strategy = Strategy(
///   "insert", summary: "plain SQL, one row a statement", tradeoffs: ["no objects", "no validation"],
///   .insert { setup, _ in try MySession(setup) })
/// ```
public struct Strategy: Sendable {
  /// The name in scenarios.
  ///
  /// Strategies for different operations may have the same name.
  public var name: String
  /// Its role in a comparison.
  public var role: StrategyRole
  /// One line about what it does.
  public var summary: String
  /// What it does, in at most 40 characters, which pictures show below its name; `nil` for the beginning of the
  /// summary.
  public var gloss: String?
  /// What users of this strategy give up, as short phrases ("no validation").
  public var tradeoffs: [String]
  /// The parameters that a cell may set.
  ///
  /// The reader fills in the defaults.
  public var parameters: [any ParameterDeclaration]
  /// When it stores relationships.
  ///
  /// A scenario that links rows refuses a strategy that never does.
  public var relationships: RelationshipStorage
  /// Whether it stores the rows of several entities.
  public var storesSeveralEntities: Bool
  /// Whether it follows the model's delete rules by deleting or unlinking related rows.
  ///
  /// A scenario of trees refuses a strategy that does not.
  public var followsDeleteRules: Bool
  /// What it can do with stored rows in addition to reading them.
  ///
  /// A scenario that needs more refuses the strategy.
  public var abilities: Set<FetchAbility>
  /// Whether rows are read from the source while they are stored, which is different work from storing values in
  /// memory.
  package var isStreamed = false
  /// How to open a session.
  public var opening: Opening

  /// How to open a strategy's session, by operation.
  ///
  /// It prepares everything that the measured phase should not include: connections, statements. For an insert, the
  /// store does not exist yet, and its schema is created here. For the other operations, it exists and contains the
  /// source's rows.
  public enum Opening: Sendable {
    /// Stores the source's rows.
    case insert(@Sendable (StoreSetup, Cell) throws -> any InsertSession)
    /// Sets values in stored rows.
    case update(@Sendable (StoreSetup, Cell, [Assignment]) throws -> any ChangeSession)
    /// Deletes stored rows.
    case delete(@Sendable (StoreSetup, Cell) throws -> any ChangeSession)
    /// Reads stored rows.
    case fetch(@Sendable (StoreSetup, Cell) throws -> any FetchSession)
    /// Migrates a store of the setup's model to the version.
    case migrate(@Sendable (StoreSetup, Cell, ModelVersion) throws -> any MigrationSession)
  }

  /// A strategy with its name in scenarios and how to open its sessions.
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

  /// Its operation.
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

/// When a strategy stores the relationships of rows.
public enum RelationshipStorage: String, Sendable, Hashable, Codable, CaseIterable {
  /// Never: rows have no links.
  case none
  /// Together with the rows' values.
  case withRows = "with_rows"
  /// Relationships of a store's rows together with their values; a scenario's links after all rows have been stored.
  case linksAfterwards = "links_afterwards"
  /// After all rows have been stored.
  case afterwards

  /// Whether rows are stored first and related afterwards: a store's rows, or rows that the scenario links.
  package func isAfterwards(ofStore: Bool) -> Bool { self == .afterwards || self == .linksAfterwards && !ofStore }
}
