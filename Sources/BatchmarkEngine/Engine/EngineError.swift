// What can go wrong between a scenario and its engine.

/// What keeps an engine from working on a store.
///
/// ```swift
/// guard let entity = model["Quake"] else { throw EngineError.unknownEntity("Quake") }
/// let columns = entity.attributes.map(\.columnName)
/// ```
public enum EngineError: Error, Sendable, CustomStringConvertible {
  case unknownEntity(String)
  /// The model has no such relationship, or no such attribute at one of its ends.
  case unknownLink(Link)
  /// The model has no such path of relationships, or one of them leads to rows of several entities.
  case unknownPath(String)
  /// A migration was asked for without a version of the model.
  case noVersion
  /// A connection kept frames in the WAL.
  case checkpointIncomplete

  public var description: String {
    switch self {
    case .unknownEntity(let name): "the model has no entity '\(name)'; name one of its entities in the scenario"
    case .unknownLink(let link):
      "the model has no relationship '\(link.relationship)' that the attribute '\(link.attribute)' could name an object of "
        + "\(link.destinationEntityName) by"
    case .unknownPath(let path):
      "the model has no path '\(path)' to entities with a table of their own; follow relationships of the fetched entity"
    case .noVersion: "there is no version of the model to migrate to; name one of the scenario's versions"
    case .checkpointIncomplete: "the checkpoint left frames in the WAL; another connection holds a snapshot"
    }
  }
}
