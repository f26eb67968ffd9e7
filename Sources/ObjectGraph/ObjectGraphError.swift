// Everything that can go wrong between a context and its store, in one type that says what to do about it.
public import CoreDataModel
public import SQLiteDriver

/// An error of the object graph.
///
/// It names what was found and what was expected, and nothing was lost by it: a failed save leaves the context as it
/// was, a failed request leaves the store as it was.
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
  /// An entity that the model does not have; `expected` are those that it has.
  case unknownEntity(found: String, expected: [String])
  /// A predicate or an order that does not fit the entity's objects.
  case predicate(FetchPredicateError)
  /// A fetch request that asks for things that exclude each other, or that do not exist.
  case invalidFetch(entity: String, found: String, expected: String)
  /// A fetch request template that the model does not have; `expected` are those that it has.
  case unknownTemplate(found: String, expected: [String])
  /// An abstract entity has no objects of its own.
  case abstractEntity(String)
  /// A class that belongs to no entity, or that is not the class of an entity's objects.
  case wrongClass(found: String, expected: String)
  /// A batch request cannot set relationships.
  case relationshipInBatch(entity: String, key: String, row: Int?)
  /// A batch request that asks for what it cannot do.
  case invalidBatch(entity: String, found: String, expected: String)
  /// `row` counts from 1 within a batch insert.
  case unknownAttribute(entity: String, key: String, expected: [String], row: Int?)
  /// A value that an attribute cannot hold, or a key whose type is not the attribute's; `row` counts from 1.
  case wrongType(entity: String, key: String, found: String, expected: String, row: Int?)
  /// A relationship that the entity does not have; `expected` are those that it has.
  case unknownRelationship(entity: String, key: String, expected: [String])
  /// A position in a relationship whose objects have no order; `expected` are the entity's ordered relationships.
  case unorderedRelationship(entity: String, key: String, expected: [String])
  /// An object of an entity that the relationship cannot have as a destination.
  case wrongObject(entity: String, key: String, found: String, expected: String)
  /// A required value is missing in a row of a batch insert, or a batch update would leave it without one.
  case missingValue(entity: String, key: String, row: Int?)
  /// A value of a batch insert breaks a rule of the model, where the request asked for validation.
  case brokenRule(ValidationFailure.Code, entity: String, key: String, found: String, expected: String, row: Int)
  /// A batch update, or a row of a batch insert that could take the place of one stored row only, would give a row the
  /// unique values of another.
  case uniqueValuesTaken(entity: String, constraint: [String], by: [ManagedObjectID], row: Int?)
  /// A batch delete that a delete rule denies, because of `count` objects of `destination`.
  case deletionRefused(DeletionRefusal, entity: String, relationship: String, destination: String, count: Int)
  /// A batch insert with a `transactionSize` or a `walSizeLimit` failed after some of its transactions: of the request's
  /// rows the first `rows` are stored, and no others.
  indirect case partlyStored(entity: String, rows: Int, result: BatchResult, because: ObjectGraphError)
  /// Objects of a save that may not be stored, all of them.
  case validation([ValidationFailure])
  /// Objects whose unique values are taken, under the error policy.
  case constraintConflict([ConstraintConflict])
  /// Rows that someone else changed or deleted since they were read, where the merge policy lets that fail the save.
  case optimisticLocking([MergeConflict])
  /// There is no row of that ID, or no longer.
  case missingObject(ManagedObjectID)
  /// An object to be deleted is gone already.
  case deletedObject(ManagedObjectID)
  /// Will-save callbacks, checks or observers dirtied the context again and again.
  case endlessWillSave(rounds: Int)
  /// A callback, an observer or a policy's function called what a save that is under way in the same context does not
  /// allow; nothing was done.
  case callDuringSave(String, at: SaveStage)
  /// A context was used before its coordinator had a store.
  case noStore
  /// No store of the coordinator holds the entity.
  case entityInNoStore(String)
  /// A configuration that the model does not have.
  case unknownConfiguration(found: String, expected: [String])
  /// A store that a request or an object cannot be given to.
  case wrongStore(found: String, expected: String)
  /// Another store of the coordinator has the same identifier, as a copy of a file has.
  case storeIdentifierTaken(path: String, by: String)
  /// A relationship between objects of two stores.
  case relationshipAcrossStores(
    key: String, object: ManagedObjectID, store: String, destination: ManagedObjectID, destinationStore: String)
  /// An object that was saved stays in its store.
  case objectInStore(ManagedObjectID, path: String)
  /// A request over several stores was committed in some of them, in all their rows, when another refused to commit.
  ///
  /// A context that was saved has what they stored as saved, and the rest pending: saving again stores that.
  indirect case partlyCommitted(stores: [String], because: ObjectGraphError)
  /// A store of that path is open in the coordinator already.
  case storeAlreadyOpen(path: String)
  /// A file exists at the path where a copy should be written.
  case fileExists(path: String)
  /// A store that is still open cannot be removed.
  case storeInUse(path: String)
  /// A file that is not a store of the model: it lacks tables or columns, or is none at all.
  case incompatibleStore(path: String, differences: [String])
  /// A store that was made with another model, which a store that is only read may be: the entities that differ.
  case incompatibleModel(path: String, entities: [EntityDifference])
  /// A store that was made with another model, which is none of the known source models; the entities that differ from the
  /// model that it should be migrated to.
  case missingSourceModel(path: String, entities: [EntityDifference])
  /// Two models between which no mapping can be inferred, with every reason.
  case mappingNotInferred([MappingProblem])
  /// A store that cannot be migrated because of what is in it.
  ///
  /// It is unchanged.
  case migration(entity: String?, property: String?, found: String, expected: String, path: String)
  /// A migration that was cancelled by its ``MigrationProgress``; the store is as it was, or as its last stage has left it.
  case migrationCancelled(path: String)
  /// Stages of a migration that do not follow each other, or a store that is in none of them; nothing was changed.
  case invalidStages(stage: String?, found: String, expected: String, path: String?)
  /// A store that has a later version than the model it is opened with, by the stages of a migration.
  ///
  /// `stage` migrates to the store's version. The store is unchanged.
  case backwardMigration(stage: String, path: String)
  /// A stage of a migration that failed, and the part of it that failed.
  ///
  /// The store is as it was before the stage, and opening it again continues there. `because` is nil for an error that is not
  /// this library's.
  indirect case stageFailed(
    stage: String, part: MigrationStage.Part, reason: String, because: ObjectGraphError?, path: String)
  /// A store that another coordinator or process has migrated to another model while it was open here.
  case storeMigrated(path: String)
  /// A change of a store that was opened to be read.
  case readOnlyStore(path: String)
  /// A vacuum that the store's file cannot have.
  case invalidVacuum(found: String, expected: String, path: String)
  /// An entry that an application cannot set in a store's metadata.
  case metadata(key: String, found: String, expected: String)
  /// A table has no keys left for new rows, because the store's file counts none that others can follow; `of` is an
  /// entity, or a table of history's.
  case keysExhausted(of: String, found: String, path: String)
  /// A row that cannot be saved, because the store's file has none of the versions that saves reach for it: whether others
  /// have changed it would not show.
  case unknownVersion(ManagedObjectID, found: String, path: String)
  /// A pragma of a store's description that SQLite does not know, or that did not take its value.
  case pragma(String, found: String, expected: String, path: String)
  /// A batch insert's handler used the store it is inserting into, or a function that a request calls would have closed
  /// its store.
  case reentrantRequest
  /// An object of another context, or one that is gone.
  case foreignObject(ManagedObjectID)
  /// A query generation that cannot be had, or what cannot be done in a context that is pinned to one.
  case queryGeneration(found: String, expected: String)
  /// History was asked for of a store that was opened without ``PersistentStoreDescription/tracksPersistentHistory``.
  case historyNotTracked(path: String)
  /// The token's transaction was forgotten, so that what came after it is not known any more; `oldest` is the first that
  /// is still there.
  case historyTokenExpired(found: PersistentHistoryToken, oldest: PersistentHistoryToken?)
  /// A token of another store than the one with the identifier.
  case foreignHistoryToken(found: PersistentHistoryToken, expected: String)
  /// A history request that asks for what it cannot do.
  case invalidHistoryRequest(found: String, expected: String)
  /// What SQLite said, and what was being done.
  case store(SQLiteError, during: String)

  /// The domain of errors that Core Data has a code for.
  static let coreDataDomain = "NSCocoaErrorDomain"

  /// Whose ``code`` it is: Core Data's domain, or that of the error with which an object's own check made a save fail.
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

  /// Core Data's code for the error, where it has one; that of the error with which an object's own check made a save
  /// fail.
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
  /// The relationship's rule denies the deletion while there is an object at its other end.
  case deny
  /// The inverse of the relationship is required, and would be empty.
  case requiredInverse(String)
}

/// Objects that cannot be stored together, or beside a stored one, because they have the same unique values.
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
  /// The stored object that has the values, when it is not one of this save's own.
  public let databaseObjectID: ManagedObjectID?
  /// The save's objects that have the values; where no stored object has them, the first one could have been stored.
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
