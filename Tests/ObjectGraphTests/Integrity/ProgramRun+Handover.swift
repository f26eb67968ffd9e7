// What a child of a random program passes to its parent: everything that it shows.
@testable import CoreDataModel
@testable import ObjectGraph

extension ProgramRun {
  /// The changes that a child is about to save.
  struct Handover {
    fileprivate struct Shown {
      let object: ManagedObject
      let values: [String: AttributeValue]
      let links: [String: Set<ManagedObjectID>]
    }

    fileprivate var changed: [Shown] = []
    fileprivate var deleted: [ManagedObject] = []

    var count: Int { changed.count + deleted.count }
  }

  /// The changes of a child that has seen everything in its parent; none for other children.
  func pendingHandover(_ index: Int) throws -> Handover {
    guard case .child = kinds[index], isUpToDate(index) else { return Handover() }
    let context = contexts[index]
    var handover = Handover(deleted: context.deletedObjects)
    for object in context.insertedObjects + context.updatedObjects {
      var values: [String: AttributeValue] = [:]
      for name in ProgramSchema.attributes { values[name] = object[name] }
      handover.changed.append(
        .init(object: object, values: values, links: try links(of: object, Set(object.changedRelationships))))
    }
    return handover
  }

  /// The destinations of to-one relationships and of some to-many ones, without deleted objects.
  private func links(of object: ManagedObject, _ toMany: Set<String>) throws -> [String: Set<ManagedObjectID>] {
    var links: [String: Set<ManagedObjectID>] = [:]
    for relationship in schema.relationships(of: object.layout.rootIndex) where relationship.inverseRule != .noAction {
      let isToOne = object.layout.toOneSlot(named: relationship.name) != nil
      guard isToOne || toMany.contains(relationship.name) else { continue }
      let others =
        isToOne
        ? try object.object(forKey: relationship.name).map { [$0] } ?? []
        : try object.objects(forKey: relationship.name)
      links[relationship.name] = Set(others.filter(\.isAlive).map(\.objectID))
    }
    return links
  }

  /// Checks that the parent has what the child had.
  func check(_ handover: Handover, in parent: ManagedObjectContext) throws {
    for shown in handover.changed {
      let objectID = shown.object.objectID
      guard let mine = try? parent.existingObject(with: objectID), mine.isAlive else {
        throw ProgramMismatch("a child saved \(objectID), which its parent does not have")
      }
      let links = try links(of: mine, Set(shown.links.keys))
      for (name, value) in shown.values where mine[name] != value {
        throw ProgramMismatch("a child saved \(value) as \(name) of \(objectID), and its parent has \(mine[name])")
      }
      for (name, wanted) in shown.links where links[name] != wanted {
        throw ProgramMismatch(
          "a child saved \(name) of \(objectID) as \(wanted), and its parent has \(links[name] ?? [])")
      }
    }
    for object in handover.deleted where parent.registeredObject(for: object.objectID)?.isAlive == true {
      throw ProgramMismatch("a child deleted \(object.objectID), and its parent has it")
    }
  }
}

extension ProgramSteps {
  /// Rounds in which a child that has seen everything in its parent is changed and saved, followed by its parents.
  mutating func family(rounds: Int) -> [ProgramStep] {
    var steps = prologue(fetchesAll: true)
    let children = contexts.kinds.indices.filter { contexts.line(from: $0).count > 1 }
    for _ in 0..<rounds {
      let child = random.pick(children)
      let line = contexts.line(from: child)
      for context in line.reversed() {
        steps.append(ProgramStep(context: context, action: .merge))
        if random.chance(3) { steps.append(ProgramStep(context: context, action: .rollback)) }
      }
      for context in line.dropLast().reversed() {
        steps.append(ProgramStep(context: context, action: .reset))
        for entity in ["Item", "Group", "Chapter", "Tag"] {
          steps.append(ProgramStep(context: context, action: .fetch(entity: entity)))
        }
      }
      for _ in 0..<8 {
        let isMove = random.chance(5)
        steps.append(
          isMove
            ? ProgramStep(context: child, action: .move(number(), relationship: number(), number(), to: number()))
            : next(in: child))
      }
      steps += line.prefix(random.chance(2) ? 1 : line.count).map {
        ProgramStep(context: $0, action: .save(isThorough: random.chance(3)))
      }
    }
    return steps
  }
}
