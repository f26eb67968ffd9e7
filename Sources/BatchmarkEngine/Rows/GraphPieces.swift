// A graph of rows, divided into pieces that can be saved one after another: some roots, and the rows that belong to
// them.
import CoreDataModel

/// The rows of several entities, divided so that each piece refers only to its own rows and those of earlier pieces.
///
/// A root is a row that refers to no other row, such as an album that tracks refer to. The roots of the entity with the
/// most roots are divided in order, a fixed number per piece. Every other row is in the piece of the last row it refers
/// to. A root of another entity, such as a genre that many tracks share, is in the piece of the first row that refers
/// to it. An owner with an ordered or required relationship is in one piece with all of its rows, and so are rows that
/// refer to each other in a cycle.
public struct GraphPieces: Sendable {
  /// A row, by its table and its index there.
  public struct Row: Sendable, Hashable {
    public let table: Int
    public let row: Int

    public init(table: Int, row: Int) { (self.table, self.row) = (table, row) }
  }

  /// The rows and pairs that are saved at once.
  public struct Piece: Sendable {
    /// Ordered by table and row.
    public fileprivate(set) var rows: [Row] = []
    /// The pairs of related rows in this piece, with the relationship's index in ``SourceRows/relationships``.
    public fileprivate(set) var pairs: [(relationship: Int, pair: RelatedRows.Pair)] = []
  }

  /// In an order in which they can be saved; none is empty.
  public let pieces: [Piece]
  /// The rows that a later piece refers to.
  public let neededLater: Set<Row>

  /// Divides a graph.
  ///
  /// O((rows + pairs) · longest chain of references).
  ///
  /// - Parameters:
  ///   - rows: All rows of the source.
  ///   - roots: How many roots are saved at once, 1 or more.
  public init(_ rows: SourceRows, roots: Int) {
    let graph = Graph(rows)
    let numbers = graph.pieces(of: max(roots, 1))
    var pieces = [Piece](repeating: Piece(), count: (numbers.max() ?? -1) + 1)
    for (table, start) in graph.starts.enumerated() {
      for row in 0..<rows.tables[table].count { pieces[numbers[start + row]].rows.append(Row(table: table, row: row)) }
    }
    var neededLater: Set<Row> = []
    for (relationship, related) in rows.relationships.enumerated() {
      for pair in related.pairs {
        let own = numbers[graph.starts[related.table] + pair.row]
        let other = numbers[graph.starts[pair.destinationTable] + pair.destinationRow]
        pieces[max(own, other)].pairs.append((relationship, pair))
        if other < own { neededLater.insert(Row(table: pair.destinationTable, row: pair.destinationRow)) }
      }
    }
    self.pieces = pieces.filter { !$0.rows.isEmpty }
    self.neededLater = neededLater
  }
}

/// The rows of all tables as one sequence, with their references.
private struct Graph {
  private struct Reference {
    let from: Int
    let to: Int
    /// Whether both rows must be saved at once.
    let isBound: Bool
  }

  /// The index of each table's first row.
  let starts: [Int]
  private let counts: [Int]
  private let references: [Reference]

  init(_ rows: SourceRows) {
    counts = rows.tables.map(\.count)
    var starts: [Int] = []
    var next = 0
    for count in counts {
      starts.append(next)
      next += count
    }
    self.starts = starts
    references = rows.relationships.flatMap { related in
      let isBound = related.inverse.map { $0.isOrdered || !$0.isOptional || $0.minimumCount > 0 } ?? false
      return related.pairs.map {
        Reference(
          from: starts[related.table] + $0.row, to: starts[$0.destinationTable] + $0.destinationRow, isBound: isBound)
      }
    }
  }

  /// The piece of each row.
  func pieces(of roots: Int) -> [Int] {
    let count = counts.reduce(0, +)
    var refers = [Bool](repeating: false, count: count)
    var isBound = [Bool](repeating: false, count: count)
    for reference in references where reference.from != reference.to {
      refers[reference.from] = true
      if reference.isBound { isBound[reference.to] = true }
    }
    func rootCount(_ table: Int) -> Int { (starts[table]..<starts[table] + counts[table]).count { !refers[$0] } }
    // The first one, if several have the most.
    let main = counts.indices.reversed().max { rootCount($0) < rootCount($1) } ?? 0
    var pieces = [Int](repeating: 0, count: count)
    var isShared = [Bool](repeating: false, count: count)
    for table in counts.indices {
      var number = 0
      for row in starts[table]..<starts[table] + counts[table] where !refers[row] {
        if table == main {
          pieces[row] = number / roots
          number += 1
        } else {
          isShared[row] = !isBound[row]
        }
      }
    }
    spread(&pieces, sparing: isShared)
    var first = [Int](repeating: .max, count: count)
    for reference in references where isShared[reference.to] {
      first[reference.to] = min(first[reference.to], pieces[reference.from])
    }
    for row in 0..<count where isShared[row] && first[row] < .max { pieces[row] = first[row] }
    return pieces
  }

  /// Moves rows into later pieces until each one is in the same piece as the rows it refers to, or in a later one.
  private func spread(_ pieces: inout [Int], sparing isShared: [Bool]) {
    var hasMoved = true
    while hasMoved {
      hasMoved = false
      for reference in references where !isShared[reference.to] {
        let (own, other) = (pieces[reference.from], pieces[reference.to])
        if own < other {
          pieces[reference.from] = other
          hasMoved = true
        } else if other < own, reference.isBound {
          pieces[reference.to] = own
          hasMoved = true
        }
      }
    }
  }
}
