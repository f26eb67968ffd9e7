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
  /// A predicate or an order that cannot be asked of the entity's objects.
  case predicate(FetchPredicateError)
  /// A fetch request that asks for what cannot be answered together, or for what is not there.
  case invalidFetch(entity: String, found: String, expected: String)
  /// A fetch request template that the model does not have; `expected` are those that it has.
  case unknownTemplate(found: String, expected: [String])
  /// An abstract entity has no objects of its own.
  case abstractEntity(String)
  /// A class that stands for no entity, or that objects of an entity are not of.
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
  /// A file is where a copy was to be written.
  case fileExists(path: String)
  /// A store that is still open cannot be removed.
  case storeInUse(path: String)
  /// A file that is no store of the model: it lacks tables or columns, or is none at all.
  case incompatibleStore(path: String, differences: [String])
  /// A store that was made with another model, which a store that is only read may be: the entities that differ.
  case incompatibleModel(path: String, entities: [EntityDifference])
  /// A store that was made with another model, which is none of the source models that are known; the entities that differ
  /// from the model it was to be migrated to.
  case missingSourceModel(path: String, entities: [EntityDifference])
  /// Two models between which no mapping can be inferred, with every reason.
  case mappingNotInferred([MappingProblem])
  /// A store that cannot be migrated because of what is in it; it is as it was.
  case migration(entity: String?, property: String?, found: String, expected: String, path: String)
  /// A migration that was cancelled by its ``MigrationProgress``; the store is as it was, or as its last stage has left it.
  case migrationCancelled(path: String)
  /// Stages of a migration that do not follow each other, or a store that is in none of them; nothing was changed.
  case invalidStages(stage: String?, found: String, expected: String, path: String?)
  /// A store that is of a later version than the model it is opened with, by the stages of a migration; `stage` leads to its
  /// version. It is as it was.
  case backwardMigration(stage: String, path: String)
  /// A stage of a migration that failed, and in which part of it: the store is as it was before the stage, and opening it
  /// again goes on there. `because` is nil for an error that is not this library's.
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

extension DeletionRefusal {
  fileprivate var inverse: String { if case .requiredInverse(let name) = self { name } else { "" } }
}

extension ObjectGraphError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownEntity(let found, let expected):
      "found the entity '\(found)'; expected one of \(expected.joined(separator: ", "))"
    case .predicate(let error): "\(error)"
    case .invalidFetch(let entity, let found, let expected):
      "fetching \(entity): found \(found); expected \(expected)"
    case .unknownTemplate(let found, let expected):
      "found the fetch request template '\(found)'; expected "
        + (expected.isEmpty ? "none, because the model has no templates" : "one of \(expected.joined(separator: ", "))")
    case .abstractEntity(let name):
      "the entity '\(name)' is abstract and has no objects of its own; insert objects of an entity that inherits from it"
    case .wrongClass(let found, let expected): "found \(found); expected \(expected)"
    case .relationshipInBatch(let entity, let key, let row):
      "\(Self.position(entity, row)): found the relationship '\(key)'; expected attributes only, because a batch request "
        + "cannot set relationships: link the rows by saving objects"
    case .invalidBatch(let entity, let found, let expected):
      "a batch request for \(entity): found \(found); expected \(expected)"
    case .unknownAttribute(let entity, let key, let expected, let row):
      "\(Self.position(entity, row)): found the key '\(key)'; expected one of \(expected.joined(separator: ", "))"
    case .wrongType(let entity, let key, let found, let expected, let row):
      "\(Self.position(entity, row)), \(key): found \(found); expected \(expected)"
    case .unknownRelationship(let entity, let key, let expected):
      "\(entity): found the relationship '\(key)'; expected "
        + (expected.isEmpty
          ? "none, because it has no such relationships" : "one of \(expected.joined(separator: ", "))")
    case .unorderedRelationship(let entity, let key, let expected):
      "\(entity): found a position in '\(key)', whose objects have no order; expected "
        + (expected.isEmpty ? "no position" : "no position, or one of \(expected.joined(separator: ", "))")
        + ". Use addObject(_:forKey:), or make the relationship ordered in the model"
    case .wrongObject(let entity, let key, let found, let expected):
      "\(entity), \(key): found an object of the entity \(found); expected one of \(expected), or of an entity that "
        + "inherits from it"
    case .missingValue(let entity, let key, let row):
      "\(Self.position(entity, row)), \(key): found no value; expected one, because \(key) is required"
    case .brokenRule(_, let entity, let key, let found, let expected, let row):
      "\(Self.position(entity, row)), \(key): found \(found); expected \(expected)"
    case .uniqueValuesTaken(let entity, let constraint, let takers, let row):
      "\(Self.position(entity, row)): found the \(constraint.joined(separator: ", ")) of "
        + (takers.isEmpty ? "another row" : takers.map { "the stored \($0)" }.joined(separator: " and of "))
        + "; expected values that no other row has"
    case .deletionRefused(let refusal, let entity, let relationship, let destination, let count):
      "deleting \(entity) rows: found \(count) object\(count == 1 ? "" : "s") of \(destination) at the other end of "
        + "'\(relationship)'; expected none, because "
        + (refusal == .deny
          ? "its delete rule is deny" : "their '\(refusal.inverse)' is required and would be empty")
        + ": delete them first, or let '\(relationship)' cascade. Nothing was deleted"
    case .partlyStored(let entity, let rows, _, let cause):
      "the batch of \(entity) stored its first \(rows) rows and no others: \(cause). Insert the other rows by another request"
    case .validation(let failures):
      "\(failures.count) value\(failures.count == 1 ? "" : "s") may not be stored: "
        + Self.list(failures) + ". The objects keep their values; set valid ones and save again"
    case .constraintConflict(let conflicts):
      "\(conflicts.count) object\(conflicts.count == 1 ? "" : "s") would break a uniqueness constraint: "
        + Self.list(conflicts) + ". Change the values, or set a merge policy other than error"
    case .optimisticLocking(let conflicts):
      Self.list(conflicts) + ". Refresh the objects and save again, or set a merge policy other than error"
    case .missingObject(let objectID):
      "found no row for \(objectID); expected a stored one: it was deleted, or never saved. Fetch the objects again"
    case .deletedObject(let objectID):
      "found \(objectID), which was deleted already; expected an object that is in its context. A rollback, a reset, a merge "
        + "policy or another writer may have removed it. Leave out the deletion"
    case .endlessWillSave(let rounds):
      "found new changes after \(rounds) rounds of willSave, validation, notifications and conflicts; expected none. Change a "
        + "value in a callback or an observer only where it differs, or set it with setPrimitiveValue"
    case .callDuringSave(let call, let stage):
      "\(call) was called inside a save of the same context, at the stage \(stage.rawValue); call it after the save, such "
        + "as in perform(later:), or on another context"
    case .noStore: "the coordinator has no store; add one before using a context"
    case .entityInNoStore(let name):
      "no store of the coordinator holds the entity \(name); add one, or open one with a configuration that has it"
    case .unknownConfiguration(let found, let expected):
      "found the configuration '\(found)'; expected "
        + (expected.isEmpty
          ? "none, because the model has no configurations" : "one of \(expected.joined(separator: ", "))")
    case .wrongStore(let found, let expected): "found \(found); expected \(expected)"
    case .storeIdentifierTaken(let path, let other):
      "the store \(path) has the identifier of \(other), which is open in this coordinator; expected stores of their "
        + "own, not a store and its copy. Open the copy in another coordinator"
    case .relationshipAcrossStores(let key, let object, let store, let destination, let destinationStore):
      "'\(key)' of \(object), in the store \(store): found \(destination), in the store \(destinationStore); expected "
        + "an object of the same store. A new object is given to a store by assign(_:to:), before it is linked"
    case .objectInStore(let objectID, let path):
      "\(objectID) is saved in the store \(path); expected a new object. Insert a copy of it to have it in another store"
    case .partlyCommitted(let stores, let cause):
      "what was written is committed in \(stores.joined(separator: ", ")) and in no other store: \(cause). Save again, "
        + "or repeat the batch request with the other stores as affectedStores"
    case .storeAlreadyOpen(let path):
      "the store \(path) is open in this coordinator already; use that store, or remove it from the coordinator first"
    case .fileExists(let path): "found a file at \(path); expected none: name another path, or remove the file first"
    case .storeInUse(let path):
      "the store \(path) is open, here or in another process; close every coordinator and connection of it first"
    case .incompatibleStore(let path, let differences):
      "the store \(path) does not fit the model: " + differences.joined(separator: "; ")
        + ". Open it with the model that it was made with, or name another file"
    case .incompatibleModel(let path, let entities):
      "the store \(path) was made with another model: " + entities.map(\.description).joined(separator: "; ")
        + ". Open it with the model that it was made with, or read-only; or give that model in sourceModels of the "
        + "store's description, or a sourceModelProvider, to have the store migrated"
    case .missingSourceModel(let path, let entities):
      "the store \(path) was made with another model, and with none of the source models that are known: "
        + entities.map(\.description).joined(separator: "; ")
        + ". Give the one that it was made with in sourceModels of its description, or a sourceModelProvider that finds it"
    case .storeMigrated(let path):
      "the store \(path) was migrated to another model while it was open. Nothing was read or written wrongly; close it, "
        + "and open it with the model that it has now"
    case .mappingNotInferred(let problems):
      "no mapping can be inferred between the two models: " + Self.list(problems)
    case .migration(let entity, let property, let found, let expected, let path):
      "migrating the store \(path): "
        + (entity.map { entity in (property.map { "\(entity).\($0)" } ?? entity) + ": " } ?? "")
        + "found \(found); expected \(expected). The store is as it was"
    case .migrationCancelled(let path):
      "the migration of the store \(path) was cancelled. None of the changes of its last stage is stored; open the store "
        + "again to migrate it"
    case .invalidStages(let stage, let found, let expected, let path):
      "the stages of a migration" + (path.map { " of the store \($0)" } ?? "") + (stage.map { ", \($0)" } ?? "")
        + ": found \(found); expected \(expected)" + (path == nil ? "" : ". The store is as it was")
    case .backwardMigration(let stage, let path):
      "the stages of a migration of the store \(path): found a store of a later version, to which \(stage) leads; expected "
        + "one that is not later than the model it is opened with. The store is as it was"
    case .stageFailed(let stage, let part, let reason, _, let path):
      "migrating the store \(path), \(stage): \(part) failed: \(reason). The store is as it was before the stage; open it "
        + "again to continue from there"
    case .invalidVacuum(let found, let expected, let path):
      "a vacuum of the store \(path): found \(found); expected \(expected)"
    case .metadata(let key, let found, let expected):
      "the metadata entry '\(key)': found \(found); expected \(expected)"
    case .keysExhausted(let name, let found, let path):
      "no keys are left for new rows of \(name) in the store \(path): found the last key \(found) in Z_PRIMARYKEY; "
        + "expected an integer from 0 to \(LastKey.usable.upperBound). Correct Z_MAX to the largest key in use, or save "
        + "the objects into a new store"
    case .unknownVersion(let objectID, let found, let path):
      "\(objectID) in the store \(path) cannot be saved: found \(found) in Z_OPT; expected an integer below "
        + "\(1 << 39). Set Z_OPT of the row to 1 while no program has the store open"
    case .readOnlyStore(let path): "the store \(path) was opened read-only; open it for writing to change it"
    case .pragma(let name, let found, let expected, let path):
      "the pragma '\(name)' of the store \(path): found \(found); expected \(expected). Correct it, or leave it out"
    case .reentrantRequest:
      "a handler of a batch insert used the store that the request is writing to, or another store of its coordinator "
        + "for writing, or a function that a request calls closed its store; do that before or after the request"
    case .foreignObject(let objectID):
      "\(objectID) does not belong to this context; fetch it here by its object ID"
    case .queryGeneration(let found, let expected): "query generations: found \(found); expected \(expected)"
    case .historyNotTracked(let path):
      "the store \(path) keeps no history; open it with tracksPersistentHistory"
    case .historyTokenExpired(let found, let oldest):
      "found the token of \(found), which was deleted from the history; expected "
        + (oldest.map { "\($0) or a later one" } ?? "none, because there are no transactions")
        + ". Fetch all objects again, and continue from the current token"
    case .foreignHistoryToken(let found, let expected):
      "found the token of \(found); expected one of the store \(expected). Keep a token for each store"
    case .invalidHistoryRequest(let found, let expected):
      "a request for history: found \(found); expected \(expected)"
    case .store(let error, let action): "\(action): \(error)"
    }
  }

  private static func position(_ entity: String, _ row: Int?) -> String { row.map { "\(entity), row \($0)" } ?? entity }

  /// The first ten, and how many more there are.
  private static func list(_ items: [some CustomStringConvertible]) -> String {
    items.prefix(10).map(\.description).joined(separator: "; ")
      + (items.count > 10 ? "; and \(items.count - 10) more" : "")
  }
}
