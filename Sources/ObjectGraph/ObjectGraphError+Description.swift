// The descriptions of errors: what was found, what was expected, and what to do.
internal import SQLiteDriver

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

  /// The first ten items, and how many more there are.
  private static func list(_ items: [some CustomStringConvertible]) -> String {
    items.prefix(10).map(\.description).joined(separator: "; ")
      + (items.count > 10 ? "; and \(items.count - 10) more" : "")
  }
}
