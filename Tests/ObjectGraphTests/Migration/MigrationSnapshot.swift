// The contents of a store, object by object, and the expected result of a mapping, computed without the migration's
// SQL.
import CoreDataModel
import Foundation
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

/// An object as a context sees it, with its version.
struct ObjectContent: Equatable {
  var entity: String
  var version: String
  /// Attributes as text, without nulls.
  var values: [String: String] = [:]
  /// The keys of related objects: in order if the relationship is ordered, otherwise ascending.
  var objects: [String: [String]] = [:]
}

/// All objects of a store by `entity/key`.
typealias StoreContent = [String: ObjectContent]

enum MigrationContent {
  /// Reads every object, or those of some entities, with a separate context.
  static func read(_ coordinator: PersistentStoreCoordinator, _ names: [String]? = nil) throws -> StoreContent {
    let model = coordinator.managedObjectModel
    let entities = model.entities.filter { names?.contains($0.name) ?? true }
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    let versions = try versions(of: coordinator, entities)
    return try context.performAndWait { () throws in
      var content: StoreContent = [:]
      for entity in entities where !entity.isAbstract {
        var request = FetchRequest<ManagedObject>(entityName: entity.name)
        request.includesSubentities = false
        for object in try context.fetch(request) {
          let key = key(object)
          var found = ObjectContent(
            entity: entity.name, version: versions["\(model.tableName(of: entity.name) ?? "")/\(key)"] ?? "none")
          for attribute in model.attributes(of: entity.name) where !attribute.isTransient {
            let value = try object.value(forKey: attribute.name)
            if !value.isNull { found.values[attribute.name] = text(value) }
          }
          for relationship in model.relationships(of: entity.name) {
            let objects =
              relationship.isToMany
              ? try object.objects(forKey: relationship.name)
              : try object.object(forKey: relationship.name).map { [$0] } ?? []
            let keys = objects.map { "\($0.objectID.entityName)/\(self.key($0))" }
            found.objects[relationship.name] = relationship.isOrdered ? keys : keys.sorted()
          }
          content["\(entity.name)/\(key)"] = found
        }
      }
      return content
    }
  }

  private static func key(_ object: ManagedObject) -> String {
    object.objectID.uriRepresentation().split(separator: "/p").last.map(String.init) ?? ""
  }

  private static func versions(
    of coordinator: PersistentStoreCoordinator, _ entities: [EntityDescription]
  ) throws -> [String: String] {
    let store = try #require(coordinator.persistentStores.first)
    let connection = try Connection(path: store.path, access: .readOnly)
    var versions: [String: String] = [:]
    for table in Set(
      entities.compactMap { coordinator.managedObjectModel.tableName(of: $0.name) })
    {
      let statement = try connection.prepare("SELECT Z_PK, Z_OPT FROM \(table)")
      while try statement.step() {
        versions["\(table)/\(statement.string(0) ?? "")"] = statement.string(1) ?? "NULL"
      }
    }
    return versions
  }

  /// The result of a mapping for a store's objects.
  static func migrated(_ content: StoreContent, _ mapping: MappingModel, to model: ManagedObjectModel) -> StoreContent {
    let mappings = Dictionary(
      mapping.entityMappings.compactMap { mapping in mapping.sourceEntityName.map { ($0, mapping) } }
    ) { first, _ in first }
    func newName(_ key: String) -> String? {
      let parts = key.split(separator: "/")
      return mappings[String(parts[0])]?.destinationEntityName.map { "\($0)/\(parts[1])" }
    }
    var migrated: StoreContent = [:]
    for (key, object) in content {
      guard let mapping = mappings[object.entity], let name = mapping.destinationEntityName, let newKey = newName(key)
      else { continue }
      var new = ObjectContent(entity: name, version: object.version)
      for property in mapping.attributeMappings {
        guard let attribute = model.attributes(of: name).first(where: { $0.name == property.name }) else { continue }
        let value = property.sourceName.flatMap { object.values[$0] }
        let isFilled = property.sourceName == nil || !attribute.isOptional
        let fill = isFilled ? attribute.defaultValue.conformed(to: attribute.type) ?? .null : .null
        new.values[property.name] = value ?? (fill.isNull ? nil : text(fill))
      }
      for property in mapping.relationshipMappings {
        guard let relationship = model.relationships(of: name).first(where: { $0.name == property.name }) else {
          continue
        }
        let keys = (property.sourceName.flatMap { object.objects[$0] } ?? []).compactMap(newName).filter { key in
          model.entity(String(key.split(separator: "/")[0]), isKindOf: relationship.destinationEntityName)
        }
        new.objects[property.name] = relationship.isOrdered ? keys : keys.sorted()
      }
      migrated[newKey] = new
    }
    return migrated
  }
}

enum MigrationLayout {
  /// Tables with their columns in alphabetical order, indexes without quotes, and the numbers of entities.
  static func lines(of path: String) throws -> [String] {
    let connection = try Connection(path: path, access: .readOnly)
    defer { try? connection.close() }
    var lines: [String] = []
    for sql in [
      """
      SELECT m.name || ' ' || c.name || ' ' || c.type || ' ' || c.pk FROM sqlite_master m
      JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE 'A%'
      ORDER BY 1
      """,
      """
      SELECT replace(sql, '"', '') FROM sqlite_master WHERE type = 'index' AND sql NOT NULL AND tbl_name NOT LIKE 'A%'
      ORDER BY 1
      """,
      "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16001 ORDER BY Z_ENT",
    ] {
      let statement = try connection.prepare(sql)
      while try statement.step() { lines.append(statement.string(0) ?? "") }
    }
    return lines
  }

  /// The lines of a new store of the model.
  static func fresh(_ model: ManagedObjectModel) throws -> [String] {
    let folder = try CopiedStore()
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(PersistentStoreDescription(path: folder.path))
    try coordinator.close()
    return try lines(of: folder.path)
  }
}
