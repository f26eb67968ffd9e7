// Changes of the fixture's model with inferred mappings.
import CoreDataModel
import Foundation
import Testing

struct MigrationKind: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let apply: @Sendable (inout [EntityDescription]) -> Void

  init(_ name: String, _ apply: @escaping @Sendable (inout [EntityDescription]) -> Void) {
    testDescription = name
    self.apply = apply
  }

  func applied(to entities: [EntityDescription]) -> [EntityDescription] {
    var entities = entities
    apply(&entities)
    return entities
  }
}

extension [EntityDescription] {
  /// The entity with this name; for a missing name, changes are discarded.
  fileprivate subscript(_ name: String) -> EntityDescription {
    get { first { $0.name == name } ?? EntityDescription(name) }
    set { if let index = firstIndex(where: { $0.name == name }) { self[index] = newValue } }
  }

  fileprivate mutating func change(
    _ entity: String, _ attribute: String, _ body: (inout AttributeDescription) -> Void
  ) {
    guard let index = self[entity].attributes.firstIndex(where: { $0.name == attribute }) else { return }
    body(&self[entity].attributes[index])
  }

  fileprivate mutating func change(
    _ entity: String, relationship: String, _ body: (inout RelationshipDescription) -> Void
  ) {
    guard let index = self[entity].relationships.firstIndex(where: { $0.name == relationship }) else { return }
    body(&self[entity].relationships[index])
  }

  fileprivate mutating func removeRelationship(_ entity: String, _ name: String) {
    self[entity].relationships.removeAll { $0.name == name }
  }

  fileprivate mutating func rename(_ name: String, to newName: String) {
    for index in indices {
      if self[index].superentityName == name { self[index].superentityName = newName }
      for position in self[index].relationships.indices
      where self[index].relationships[position].destinationEntityName == name {
        self[index].relationships[position].destinationEntityName = newName
      }
    }
    self[name].renamingIdentifier = name
    self[name].name = newName
  }

  fileprivate mutating func rename(_ entity: String, relationship name: String, to newName: String) {
    guard let relationship = self[entity].relationship(named: name), let inverse = relationship.inverseName else {
      return
    }
    change(entity, relationship: name) {
      $0.renamingIdentifier = name
      $0.name = newName
      if inverse == name { $0.inverseName = newName }
    }
    if inverse != name {
      change(relationship.destinationEntityName, relationship: inverse) { $0.inverseName = newName }
    }
  }
}

extension MigrationKind {
  static let attributes: [MigrationKind] = [
    .init("an optional attribute of an entity with a table of its own") {
      $0["Person"].attributes.append(.init("zip", .string, isOptional: true))
    },
    .init("an optional attribute of a root") {
      $0["Animal"].attributes.append(.init("color", .string, isOptional: true))
    },
    .init("an optional attribute of a sub-entity") {
      $0["Dog"].attributes.append(.init("age", .int64, isOptional: true))
    },
    .init("required attributes with defaults of every type") {
      $0["Person"].attributes += [
        .init("a1", .string, defaultValue: "it's"), .init("a2", .double, defaultValue: 0.1),
        .init("a3", .boolean, defaultValue: true), .init("a4", .decimal, defaultValue: .decimal(2.5)),
        .init("a5", .date, defaultValue: .date(.init(timeIntervalSinceReferenceDate: 60))),
        .init("a6", .binary, defaultValue: .binary(.init([0, 16]))),
        .init("a7", .uuid, defaultValue: .uuid(.init(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))),
        .init("a8", .string, defaultValue: "zero\u{0}byte"), .init("a9", .float, defaultValue: -1e-9),
      ]
    },
    .init("a required attribute with a default of one sub-entity") {
      $0["Dog"].attributes.append(.init("good", .boolean, defaultValue: true))
    },
    .init("an optional attribute with a default") {
      $0["Animal"].attributes.append(.init("legs", .int16, isOptional: true, defaultValue: 4))
    },
    .init("an attribute less of a table of its own") { $0["Person"].attributes.removeAll { $0.name == "born" } },
    .init("an attribute less of a sub-entity") { $0["Dog"].attributes.removeAll { $0.name == "breed" } },
    .init("a renamed attribute") {
      $0.change("Animal", "name") {
        $0.renamingIdentifier = "name"
        $0.name = "called"
      }
    },
    .init("a renamed attribute whose old name is a new one's") {
      $0.change("Person", "born") {
        $0.renamingIdentifier = "born"
        $0.name = "birthday"
      }
      $0["Person"].attributes.append(.init("born", .date, isOptional: true))
    },
    .init("two attributes that swap names") {
      $0["Person"].attributes.append(.init("second", .int16, isOptional: true))
      $0.change("Person", "second") { $0.renamingIdentifier = "age" }
      $0.change("Person", "age") { $0.renamingIdentifier = "other" }
    },
    .init("an optional attribute that becomes required") {
      $0.change("Animal", "weight") {
        $0.isOptional = false
        $0.defaultValue = 7.5
      }
    },
    .init("a required attribute that becomes optional") { $0.change("Animal", "name") { $0.isOptional = true } },
    .init("an attribute that moves up") {
      $0["Dog"].attributes.removeAll { $0.name == "breed" }
      $0["Animal"].attributes.append(.init("breed", .string, isOptional: true))
    },
    .init("an attribute that moves down") {
      $0["Animal"].attributes.removeAll { $0.name == "weight" }
      $0["Dog"].attributes.append(.init("weight", .double, isOptional: true))
    },
    .init("an attribute of the same name in two sub-entities") {
      $0["Cat"].attributes.append(.init("breed", .string, isOptional: true))
    },
    .init("an attribute that becomes transient") {
      $0.change("Person", "age") { $0.isTransient = true }
      $0["Person"].fetchIndexes = []
    },
    .init("another default, a rule, a modifier") {
      $0.change("Dog", "tricks") { $0.defaultValue = 3 }
      $0.change("Person", "email") { $0.validationRules = [.length(minimum: 1, maximum: nil)] }
      $0.change("Person", "age") { $0.versionHashModifier = "2" }
    },
    .init("constraints and indexes added") {
      $0["House"].uniquenessConstraints = [["number"]]
      $0["Animal"].fetchIndexes = [.init("byName", elements: [.init("name", isAscending: false)])]
    },
    .init("constraints and indexes removed") {
      $0["Person"].uniquenessConstraints = []
      $0["Person"].fetchIndexes = []
    },
    .init("a constraint and an index over other attributes") {
      $0["Person"].uniquenessConstraints = [["email", "age"]]
      $0["Person"].fetchIndexes = [.init("byAge", on: ["age", "born"])]
    },
    .init("the same attribute renamed under a constraint and an index") {
      for (old, new) in [("email", "mail"), ("age", "years")] {
        $0.change("Person", old) {
          $0.renamingIdentifier = old
          $0.name = new
        }
      }
      $0["Person"].uniquenessConstraints = [["mail"]]
      $0["Person"].fetchIndexes = [.init("byAge", on: ["years"])]
    },
  ]

  static let entities: [MigrationKind] = [
    .init("an entity at the end") { $0.append(EntityDescription("Zebra", attributes: [.init("stripes", .int16)])) },
    .init("an entity at the beginning, which renumbers the others") {
      $0.append(EntityDescription("Aardvark", attributes: [.init("ants", .int16)]))
    },
    .init("a sub-entity in the middle") {
      $0.append(
        EntityDescription("Bird", superentity: "Animal", attributes: [.init("span", .double, isOptional: true)]))
    },
    .init("the first sub-entity of a destination") {
      $0.append(EntityDescription("Hut", superentity: "House"))
      $0.append(EntityDescription("Boss", superentity: "Person"))
    },
    .init("a sub-entity less") { $0.removeAll { $0.name == "Cat" } },
    .init("the last sub-entities less") { $0.removeAll { ["Cat", "Dog"].contains($0.name) } },
    .init("an entity less") {
      $0.removeAll { $0.name == "House" }
      $0.removeRelationship("Person", "home")
    },
    .init("a renamed sub-entity") { $0.rename("Dog", to: "Hound") },
    .init("a renamed root with sub-entities") { $0.rename("Animal", to: "Beast") },
    .init("a renamed entity with relationships of all kinds") { $0.rename("Person", to: "Zoologist") },
    .init("two entities that swap names") {
      $0.rename("Club", to: "Temporary")
      $0.rename("House", to: "Club")
      $0.rename("Temporary", to: "House")
      $0["House"].renamingIdentifier = "Club"
    },
    .init("a sub-entity under another one") { $0["Dog"].superentityName = "Cat" },
    .init("an abstract super-entity above a root") {
      $0.append(EntityDescription("Being", isAbstract: true))
      $0["Animal"].superentityName = "Being"
    },
    .init("a sub-entity that becomes a root") {
      $0["Dog"].superentityName = nil
      $0["Dog"].attributes += [
        .init("name", .string), .init("weight", .double, isOptional: true), .init("chip", .uuid, isOptional: true),
      ]
    },
    .init("a root that is gone, whose sub-entities stay") {
      $0.removeAll { $0.name == "Animal" }
      for name in ["Cat", "Dog"] {
        $0[name].superentityName = nil
        $0[name].attributes += [.init("name", .string), .init("chip", .uuid, isOptional: true)]
      }
      $0.removeRelationship("Person", "pets")
    },
    .init("a modifier of an entity") { $0["Club"].versionHashModifier = "2" },
  ]

  static let relationships: [MigrationKind] = [
    .init("a to-one relationship more, with its inverse") {
      $0["Club"].relationships.append(.init("seat", to: "House", inverse: "guests"))
      $0["House"].relationships.append(.init("guests", to: "Club", inverse: "seat", isToMany: true, isOrdered: true))
    },
    .init("a many-to-many relationship more") {
      $0["Animal"].relationships.append(.init("sitters", to: "Person", inverse: "sits", isToMany: true))
      $0["Person"].relationships.append(.init("sits", to: "Animal", inverse: "sitters", isToMany: true))
    },
    .init("relationships of every kind less") {
      $0.removeRelationship("Person", "clubs")
      $0.removeRelationship("Club", "members")
      $0.removeRelationship("Person", "pets")
      $0.removeRelationship("Animal", "owner")
      $0.removeRelationship("Person", "home")
      $0.removeRelationship("House", "resident")
    },
    .init("renamed to-one and to-many relationships") {
      $0.rename("Animal", relationship: "owner", to: "keeper")
      $0.rename("Person", relationship: "pets", to: "animals")
      $0.rename("Person", relationship: "home", to: "house")
    },
    .init("renamed many-to-many relationships") {
      $0.rename("Club", relationship: "members", to: "people")
      $0.rename("Person", relationship: "clubs", to: "societies")
      $0.rename("Person", relationship: "friends", to: "mates")
    },
    .init("a one-to-many that becomes many-to-many") { $0.change("Animal", relationship: "owner") { $0.toMany() } },
    .init("a one-to-many of a renamed entity that becomes many-to-many") {
      $0.rename("Animal", to: "Beast")
      $0.change("Beast", relationship: "owner") { $0.toMany() }
    },
    .init("a one-to-one that becomes one-to-many") { $0.change("Person", relationship: "home") { $0.toMany() } },
    .init("a one-to-one that becomes many-to-many") {
      $0.change("Person", relationship: "home") { $0.toMany() }
      $0.change("House", relationship: "resident") { $0.toMany() }
    },
    .init("a one-to-many that becomes ordered") { $0.change("Person", relationship: "pets") { $0.isOrdered = true } },
    .init("a many-to-many ordered the other way") {
      $0.change("Person", relationship: "clubs") { $0.isOrdered = true }
      $0.change("Club", relationship: "members") { $0.isOrdered = false }
    },
    .init("a relationship that moves up") {
      $0.append(EntityDescription("Being", isAbstract: true, relationships: $0["Animal"].relationships))
      $0["Animal"].relationships = []
      $0["Animal"].superentityName = "Being"
      $0.change("Person", relationship: "pets") { $0.destinationEntityName = "Being" }
    },
    .init("other rules, counts and modifiers") {
      $0.change("Person", relationship: "pets") { $0.deleteRule = .cascade }
      $0.change("Club", relationship: "members") { $0.maximumCount = 9 }
      $0.change("House", relationship: "resident") { $0.versionHashModifier = "2" }
    },
  ]

  static let all = attributes + entities + relationships
}

extension RelationshipDescription {
  fileprivate mutating func toMany() {
    isToMany = true
    maximumCount = 0
  }
}
