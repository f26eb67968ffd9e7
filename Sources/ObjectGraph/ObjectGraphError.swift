// All errors of contexts and stores, in one type that says what to do about them.
public import CoreDataModel
public import SQLiteDriver

/// An error of the object graph.
///
/// It says what was found and what was expected. Nothing is lost: a failed save leaves the context unchanged, a failed
/// request leaves the store unchanged.
///
/// ```swift
/// do {
///   try context.save()
/// } catch .constraintConflict(let conflicts) {
///   for conflict in conflicts { print(conflict) }
/// } catch {
///   context.rollback()
/// }
/// ```
public enum ObjectGraphError: Error, Sendable, Hashable {
  /// An entity that the model does not have; `expected` lists those that it has.
  case unknownEntity(found: String, expected: [String])
  /// A predicate or sort descriptors that do not fit the entity.
  case predicate(FetchPredicateError)
  /// A fetch request with options that are invalid or exclude each other.
  case invalidFetch(entity: String, found: String, expected: String)
  /// A fetch request template that the model does not have; `expected` lists those that it has.
  case unknownTemplate(found: String, expected: [String])
  /// An abstract entity cannot have objects of its own.
  case abstractEntity(String)
  /// A class that belongs to no entity, or not to an entity's objects.
  case wrongClass(found: String, expected: String)
  /// A batch request cannot set relationships.
  case relationshipInBatch(entity: String, key: String, row: Int?)
  /// A batch request that is not possible.
  case invalidBatch(entity: String, found: String, expected: String)
  /// `row` counts from 1 within a batch insert.
  case unknownAttribute(entity: String, key: String, expected: [String], row: Int?)
  /// A value that is invalid for an attribute, or a key with the wrong type; `row` counts from 1.
  case wrongType(entity: String, key: String, found: String, expected: String, row: Int?)
  /// A relationship that the entity does not have; `expected` lists those that it has.
  case unknownRelationship(entity: String, key: String, expected: [String])
  /// A position in a relationship that is not ordered; `expected` lists the entity's ordered relationships.
  case unorderedRelationship(entity: String, key: String, expected: [String])
  /// An object of an entity that is not a destination of the relationship.
  case wrongObject(entity: String, key: String, found: String, expected: String)
  /// A required value is missing in a row of a batch insert, or a batch update would remove it.
  case missingValue(entity: String, key: String, row: Int?)
  /// A value of a batch insert breaks a rule of the model, if the request validates rules.
  case brokenRule(ValidationFailure.Code, entity: String, key: String, found: String, expected: String, row: Int)
  /// A batch update would give a row the unique values of another, or a row of a batch insert has the unique values of
  /// several stored rows but could overwrite only one.
  case uniqueValuesTaken(entity: String, constraint: [String], by: [ManagedObjectID], row: Int?)
  /// A batch delete that a delete rule denies, because of `count` objects of `destination`.
  case deletionRefused(DeletionRefusal, entity: String, relationship: String, destination: String, count: Int)
  /// A batch insert with a `transactionSize` or a `walSizeLimit` failed after some of its transactions: only the first
  /// `rows` rows of the request are stored.
  indirect case partlyStored(entity: String, rows: Int, result: BatchResult, because: ObjectGraphError)
  /// All objects of a save that may not be stored.
  case validation([ValidationFailure])
  /// Objects with unique values that are taken, under the error policy.
  case constraintConflict([ConstraintConflict])
  /// Rows that others changed or deleted since they were read, if the merge policy fails the save.
  case optimisticLocking([MergeConflict])
  /// There is no row with this ID, or no longer.
  case missingObject(ManagedObjectID)
  /// An object to delete is already gone.
  case deletedObject(ManagedObjectID)
  /// Will-save callbacks, checks or observers kept changing the context.
  case endlessWillSave(rounds: Int)
  /// A callback, an observer or a policy's function made a call that a running save of the same context does not allow;
  /// nothing was done.
  case callDuringSave(String, at: SaveStage)
  /// A context was used before its coordinator had a store.
  case noStore
  /// No store of the coordinator has the entity.
  case entityInNoStore(String)
  /// A configuration that the model does not have.
  case unknownConfiguration(found: String, expected: [String])
  /// A store that cannot be used for a request or an object.
  case wrongStore(found: String, expected: String)
  /// Another store of the coordinator has the same identifier, for example because one is a copy of the other.
  case storeIdentifierTaken(path: String, by: String)
  /// A relationship between objects in two stores.
  case relationshipAcrossStores(
    key: String, object: ManagedObjectID, store: String, destination: ManagedObjectID, destinationStore: String)
  /// An object that was saved must stay in its store.
  case objectInStore(ManagedObjectID, path: String)
  /// A request over several stores was completely committed in some of them when another refused to commit.
  ///
  /// For a saved context, the part of the first stores is saved, and the rest is pending: saving again stores it.
  indirect case partlyCommitted(stores: [String], because: ObjectGraphError)
  /// A store with this path is already open in the coordinator.
  case storeAlreadyOpen(path: String)
  /// A file already exists at the path of a copy.
  case fileExists(path: String)
  /// A store that is still open cannot be removed.
  case storeInUse(path: String)
  /// A file that is not a store of the model: it lacks tables or columns, or is not a store at all.
  case incompatibleStore(path: String, differences: [String])
  /// A store that was created with another model, opened for writing, with the entities that differ.
  case incompatibleModel(path: String, entities: [EntityDifference])
  /// A store that was created with a model that is none of the known source models, with the entities that differ from
  /// the target model.
  case missingSourceModel(path: String, entities: [EntityDifference])
  /// No mapping between two models can be inferred; includes every reason.
  case mappingNotInferred([MappingProblem])
  /// A store that cannot be migrated because of its content.
  ///
  /// It is unchanged.
  case migration(entity: String?, property: String?, found: String, expected: String, path: String)
  /// A migration that was canceled by its ``MigrationProgress``; the store is as it was before, or as its last stage
  /// left it.
  case migrationCancelled(path: String)
  /// Stages of a migration that do not form a sequence, or a store that fits none of them; nothing was changed.
  case invalidStages(stage: String?, found: String, expected: String, path: String?)
  /// By the stages of a migration, the store has a later version than the model that it is opened with.
  ///
  /// `stage` migrates to the store's version. The store is unchanged.
  case backwardMigration(stage: String, path: String)
  /// A stage of a migration that failed, with the part that failed.
  ///
  /// The store is as it was before the stage, and opening it again continues from there. `because` is `nil` for an
  /// error from outside this library.
  indirect case stageFailed(
    stage: String, part: MigrationStage.Part, reason: String, because: ObjectGraphError?, path: String)
  /// A store that another coordinator or process has migrated to another model while it was open here.
  case storeMigrated(path: String)
  /// A change in a store that was opened read-only.
  case readOnlyStore(path: String)
  /// A vacuum that is not possible for the store's file.
  case invalidVacuum(found: String, expected: String, path: String)
  /// A metadata entry that an application cannot set.
  case metadata(key: String, found: String, expected: String)
  /// A table has no keys left for new rows, because the last key in the store's file is out of range; `of` is an
  /// entity, or a table of history.
  case keysExhausted(of: String, found: String, path: String)
  /// A row that cannot be saved because its version in the store's file is impossible, so that changes by others could
  /// not be detected.
  case unknownVersion(ManagedObjectID, found: String, path: String)
  /// A pragma in a store's description that SQLite does not know, or that did not accept its value.
  case pragma(String, found: String, expected: String, path: String)
  /// A batch insert's handler used the store of the insert, or a function that a request calls would have closed its
  /// store.
  case reentrantRequest
  /// An object of another context, or a deleted one.
  case foreignObject(ManagedObjectID)
  /// A query generation that is not available, or an operation that is not possible in a pinned context.
  case queryGeneration(found: String, expected: String)
  /// A history request for a store that was opened without ``PersistentStoreDescription/tracksPersistentHistory``.
  case historyNotTracked(path: String)
  /// The token's transaction was deleted, so later changes may be missing; `oldest` is the first transaction that is
  /// left.
  case historyTokenExpired(found: PersistentHistoryToken, oldest: PersistentHistoryToken?)
  /// A token from a store with another identifier.
  case foreignHistoryToken(found: PersistentHistoryToken, expected: String)
  /// A history request that is not possible.
  case invalidHistoryRequest(found: String, expected: String)
  /// An error of SQLite, and what was being done.
  case store(SQLiteError, during: String)

  /// The domain of errors that have a Core Data code.
  static let coreDataDomain = "NSCocoaErrorDomain"

  /// The domain of ``code``: Core Data's, or that of an error from an object's own check that failed a save.
  ///
  /// ```swift
  /// do {
  ///   try context.save()
  /// } catch {
  ///   print("\(error.domain) \(error.code ?? 0): \(error)")
  /// }
  /// ```
  public var domain: String {
    switch self {
    case .validation(let failures) where failures.count == 1: failures[0].errorDomain
    case .partlyStored(_, _, _, let cause), .partlyCommitted(_, let cause): cause.domain
    default: ObjectGraphError.coreDataDomain
    }
  }

  /// Core Data's code for the error, if there is one, or the code of an error from an object's own check that failed a
  /// save.
  ///
  /// ```swift
  /// ObjectGraphError.missingObject(quakeID).code  // 133000
  /// ObjectGraphError.noStore.code                 // nil
  /// ```
  public var code: Int? {
    switch self {
    case .missingValue: ValidationFailure.Code.missingMandatoryProperty.rawValue
    case .brokenRule(let code, _, _, _, _, _): code.rawValue
    case .uniqueValuesTaken: 133021
    case .deletionRefused(let refusal, _, _, _, _):
      (refusal == .deny ? ValidationFailure.Code.relationshipDeniedDelete : .missingMandatoryProperty).rawValue
    case .partlyStored(_, _, _, let cause), .partlyCommitted(_, let cause): cause.code
    case .validation(let failures): failures.count == 1 ? failures[0].errorCode : 1560
    case .constraintConflict: 133021
    case .optimisticLocking: 133020
    case .missingObject: 133000
    case .callDuringSave: 132001
    case .incompatibleStore, .incompatibleModel, .storeMigrated: 134100
    case .migration, .invalidStages: 134110
    case .migrationCancelled: 134120
    case .backwardMigration: 134506
    case .stageFailed(_, _, _, let cause, _): cause?.code ?? 134110
    case .missingSourceModel: 134130
    case .mappingNotInferred: 134190
    case .historyNotTracked: 134091
    case .historyTokenExpired: 134301
    default: nil
    }
  }
}

/// Why a batch delete is refused.
///
/// ```swift
/// do {
///   try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Region")))
/// } catch .deletionRefused(.deny, _, let relationship, _, let count) {
///   print("\(count) objects are still in \(relationship)")
/// }
/// ```
public enum DeletionRefusal: Sendable, Hashable {
  /// The relationship's rule denies the deletion while there is a related object.
  case deny
  /// The inverse of the relationship is required, but would become empty.
  case requiredInverse(String)
}

/// Objects that cannot be stored because they share unique values with each other or with a stored object.
///
/// ```swift
/// do {
///   try context.save()
/// } catch .constraintConflict(let conflicts) {
///   for conflict in conflicts { print(conflict.constraint, conflict.constraintValues) }  // ["code"], and its value
/// }
/// ```
public struct ConstraintConflict: Sendable, Hashable, CustomStringConvertible {
  /// The attributes that must be unique together.
  public let constraint: [String]
  /// The values that all of them have, in the order of the attributes.
  public let constraintValues: [AttributeValue]
  /// The stored object that has the values, unless this save inserts it.
  public let databaseObjectID: ManagedObjectID?
  /// The save's objects that have the values; without a stored object, the first one could have been stored.
  public let conflictingObjectIDs: [ManagedObjectID]
  /// The first object that could not be stored.
  public var conflictingObjectID: ManagedObjectID {
    databaseObjectID == nil
      ? conflictingObjectIDs.dropFirst().first ?? conflictingObjectIDs[0] : conflictingObjectIDs[0]
  }

  public var description: String {
    let objects = conflictingObjectIDs.map { "\($0)" }.joined(separator: ", ")
    let attributes = constraint.joined(separator: ", ")
    guard let databaseObjectID else { return "several objects of the save have the same \(attributes): \(objects)" }
    let verb = conflictingObjectIDs.count == 1 ? "has" : "have"
    return "\(objects) \(verb) the same \(attributes) as the stored \(databaseObjectID)"
  }
}
