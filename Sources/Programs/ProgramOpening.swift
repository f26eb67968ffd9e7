// The message that a program receives before its work: the store, its table and pragmas, and the operation.
internal import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph

/// The contents of `open`.
struct ProgramOpening: Encodable {
  var strategy: String
  var operation: String
  var parameters: [String: ParameterValue]
  var store: String
  var entities: [Entity]
  var key = Key(column: "Z_PK", givenBy: "engine")
  /// The pragmas to set on every connection, in this order.
  var pragmas: [Setting]
  /// The pragmas with values in the answer `ready`.
  var answeredPragmas: [String]
  /// Stores in which the program does the same work first; `nil` without a warm-up.
  var warmUp: WarmUp?
  /// The work to do; its keys are on the same level as the others.
  var work: any Encodable

  struct WarmUp: Encodable {
    /// For an insert, empty stores with the same layout; otherwise copies of the store.
    var stores: [String]
    var rows: Int
  }

  struct Entity: Encodable {
    var name: String
    /// The columns of the store.
    var table: String
    /// The columns of the source, one per attribute; `nil` without a source.
    var sourceTable: String?
    var rows: Int
    var columns: [Column]
    /// Columns that are unique together, as a list for each constraint.
    var uniqueTogether: [[String]]

    private enum CodingKeys: String, CodingKey {
      case name, table, rows, columns
      case sourceTable = "source_table"
      case uniqueTogether = "unique_together"
    }
  }

  struct Column: Encodable {
    /// The name of its column in the source.
    var attribute: String
    var column: String
    var type: String
    /// `INTEGER`, `REAL`, `TEXT` or `BLOB`, in the source and in the store.
    var storage: String
    var optional: Bool
    var unique: Bool
  }

  struct Key: Encodable {
    var column: String
    var givenBy: String

    private enum CodingKeys: String, CodingKey {
      case column
      case givenBy = "given_by"
    }
  }

  struct Setting: Encodable {
    var name: String
    var value: String
  }

  private enum CodingKeys: String, CodingKey {
    case strategy, operation, parameters, store, entities, key, pragmas
    case answeredPragmas = "answered_pragmas"
    case warmUp = "warm_up"
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(strategy, forKey: .strategy)
    try values.encode(operation, forKey: .operation)
    try values.encode(parameters, forKey: .parameters)
    try values.encode(store, forKey: .store)
    try values.encode(entities, forKey: .entities)
    try values.encode(key, forKey: .key)
    try values.encode(pragmas, forKey: .pragmas)
    try values.encode(answeredPragmas, forKey: .answeredPragmas)
    try values.encodeIfPresent(warmUp, forKey: .warmUp)
    try work.encode(to: encoder)
  }
}

extension ProgramOpening.Entity {
  /// An entity of the store, with the attributes in the order of their values.
  init(_ entity: EntityDescription, _ attributes: [AttributeDescription], rows: Int, sourceTable: String? = nil) {
    let unique = Set(entity.uniquenessConstraints.flatMap(\.self))
    self.init(
      name: entity.name, table: entity.tableName, sourceTable: sourceTable, rows: rows,
      columns: attributes.map { attribute in
        ProgramOpening.Column(
          attribute: attribute.name, column: attribute.columnName, type: "\(attribute.type)",
          storage: ProgramSource.storage(of: attribute), optional: attribute.isOptional,
          unique: unique.contains(attribute.name))
      },
      uniqueTogether: entity.uniquenessConstraints.map { $0.compactMap { entity.attribute(named: $0)?.columnName } })
  }
}

extension ProgramOpening {
  /// A message for a store that does not exist, without a source.
  static func ofNoStore(_ offer: ProgramStrategy?) -> ProgramOpening {
    let operation = offer.flatMap { Operation.Kind(rawValue: $0.operation) } ?? .insert
    let thing = EntityDescription("Thing", attributes: [AttributeDescription("code", .string)])
    let work: any Encodable =
      switch operation {
      case .fetch: ProgramFetch(FetchQuery(), of: thing)
      case .update: ProgramChange(.update([Assignment("code", .string("a"))]), where: nil, of: thing)
      case .delete: ProgramChange(.delete, where: nil, of: thing)
      case .insert, .migrate:
        ProgramInsertion(
          source: "/dev/null/source.sqlite", constants: ["Z_ENT": 1, "Z_OPT": 1],
          mergePolicy: MergePolicy.error.mergeType.rawValue,
          insert: "INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (?, 1, 1, ?)",
          firstWrite: StoreSetup.firstWrite)
      }
    return ProgramOpening(
      strategy: offer?.name ?? "", operation: operation.rawValue, parameters: [:], store: "/dev/null/store.sqlite",
      entities: [Entity(thing, thing.attributes, rows: 1, sourceTable: thing.name)], pragmas: [], answeredPragmas: [],
      work: work)
  }
}
