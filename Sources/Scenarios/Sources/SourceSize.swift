// The size of a source with rows that are made here, estimated before any row is made.
package import BatchmarkEngine
import CoreDataModel

/// The least space that rows need, in memory and on disk.
package struct SourceSize: Sendable, Hashable {
  package private(set) var rows = 0
  /// The number of values that are not text.
  ///
  /// It may exceed 64 bits, so it is a double.
  private var numbers = 0.0
  private var texts = 0.0
  private var textBytes = 0.0
  private var links = 0.0

  /// Whether the rows can be made within a second or two; then they are made to check them.
  package var isSmall: Bool { numbers + texts + links + textBytes / 4 < 20_000_000 }

  /// The memory of a worker's columns: eight bytes per number, the bytes and the offset of a text, and flags.
  package var memoryBytes: Double { numbers * 9 + texts * 9 + textBytes + links * 40 }

  /// The least that SQLite writes: a byte for the type of each value, the bytes of texts, and a key per row.
  package var diskBytes: Double { Double(rows) * 5 + numbers * 2 + texts + textBytes + links * 2 }

  fileprivate mutating func add(rows count: Int) { rows += count }

  fileprivate mutating func add(_ count: Int, of type: AttributeType, bytesEach: Double) {
    switch type.storageClass {
    case .integer, .real: numbers += Double(count)
    case .text, .blob:
      texts += Double(count)
      textBytes += Double(count) * bytesEach
    }
  }

  fileprivate mutating func add(links count: Double) { links += count }

  /// The approximate length of a text of the generator and of trees.
  private static let generatedText = 10.0

  fileprivate mutating func add(generated attributes: [AttributeDescription], rows count: Int) {
    add(rows: count)
    for attribute in attributes { add(count, of: attribute.type, bytesEach: SourceSize.generatedText) }
  }

  fileprivate mutating func add(_ entity: DataProfile.Entity, of stored: StoredEntity) {
    add(rows: entity.rows)
    for attribute in stored.attributes {
      if let shape = entity.attributes.first(where: { $0.name == attribute.name }) {
        let mean = Double(shape.lengths.sum) / Double(max(shape.lengths.count, 1))
        add(shape.lengths.count, of: attribute.type, bytesEach: mean)
      } else if let recipe = entity.recipes.first(where: { $0.name == attribute.name }) {
        let count = max(entity.rows - recipe.nulls.count(of: entity.rows), 0)
        add(count, of: attribute.type, bytesEach: recipe.values.leastMeanBytes)
      }
    }
    for relationship in entity.relationships { add(links: Double(relationship.perDestination.sum)) }
    for link in entity.links {
      let leading = max(entity.rows - link.nulls.count(of: entity.rows), 0)
      add(links: Double(leading) * Double(link.destinations.lowerBound + link.destinations.upperBound) / 2)
    }
  }
}

extension Scenario {
  /// The size of the source; `nil` for a source that is read from a file, which has its own limits.
  package var sourceSize: SourceSize? {
    var size = SourceSize()
    switch source {
    case .feed, .store: return nil
    case .generate(let settings): size.add(generated: entity?.attributes ?? [], rows: settings.rows)
    case .trees(let settings):
      size.add(generated: entity?.attributes ?? [], rows: settings.rows)
      size.add(links: Double(settings.rows))
    case .synthetic(let synthetic, _):
      for stored in storedEntities {
        size.add(synthetic.entity(stored.name, unique: stored.uniquenessConstraints), of: stored)
      }
    }
    return size
  }

  /// Checks the source without making rows, as far as that is possible: whether there are enough values.
  ///
  /// - Throws: ``SourceError``, as ``sourceRows()`` does.
  package func checkSource() throws(SourceError) {
    guard case .synthetic(let synthetic, _) = source else { return }
    try synthetic.check(storedEntities)
  }
}

extension AttributeRecipe.Values {
  /// The mean length of its values, assuming its shortest characters.
  fileprivate var leastMeanBytes: Double {
    switch self {
    case .numbers, .flags: 8
    case .uuids: 16
    case .texts(let lengths, let characters):
      Double(lengths.lowerBound + lengths.upperBound) / 2 * Double(characters.map(\.count).min() ?? 1)
    case .listed(let values): Double(values.map(\.byteCount).min() ?? 0)
    }
  }
}

extension AttributeValue {
  fileprivate var byteCount: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .binary(let data): data.count
    default: 8
    }
  }
}
