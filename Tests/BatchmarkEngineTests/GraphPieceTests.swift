// A8: rows that refer to each other, divided into pieces that are saved together.
import BatchmarkEngine
import CoreDataModel
import MissionTags
import Support
import Testing

@Suite("A8 · pieces of a graph", .tags(.a8))
struct GraphPieceTests {
  /// Albums with tracks, which share genres.
  private static func library(
    albums: Int, genres: Int, tracks: [(album: Int?, genre: Int?)], isOrdered: Bool = false
  ) -> SourceRows {
    func table(_ name: String, _ count: Int) -> ColumnarRows {
      ColumnarRows(entityName: name, attributes: [], columns: [], count: count)
    }
    func owners(_ name: String, _ table: Int, isOrdered: Bool, _ owner: (Int) -> Int?) -> RelatedRows {
      RelatedRows(
        table: 2, relationship: RelationshipDescription(name, to: table == 0 ? "Album" : "Genre", inverse: "tracks"),
        inverse: RelationshipDescription(
          "tracks", to: "Track", inverse: name, isToMany: true, isOrdered: isOrdered),
        pairs: tracks.indices.compactMap { row in
          owner(row).map { RelatedRows.Pair(row: row, destinationTable: table, destinationRow: $0) }
        })
    }
    return SourceRows(
      tables: [table("Album", albums), table("Genre", genres), table("Track", tracks.count)],
      relationships: [
        owners("album", 0, isOrdered: isOrdered) { tracks[$0].album },
        owners("genre", 1, isOrdered: false) { tracks[$0].genre },
      ])
  }

  private func names(_ pieces: GraphPieces) -> [[String]] {
    pieces.pieces.map { $0.rows.map { "\(["album", "genre", "track"][$0.table]) \($0.row)" } }
  }

  @Test("An album comes with its tracks, and a genre with the first track that has it")
  func albums() {
    let rows = GraphPieceTests.library(
      albums: 3, genres: 2, tracks: [(0, 1), (0, nil), (1, 0), (2, 1), (nil, 0)])
    let pieces = GraphPieces(rows, roots: 1)
    #expect(
      names(pieces) == [
        ["album 0", "genre 0", "genre 1", "track 0", "track 1", "track 4"], ["album 1", "track 2"],
        ["album 2", "track 3"],
      ])
    #expect(pieces.pieces.map(\.pairs.count) == [4, 2, 2])
    #expect(pieces.neededLater.map(\.table).sorted() == [1, 1])
    #expect(names(GraphPieces(rows, roots: 2)).map(\.count) == [8, 2])
    #expect(names(GraphPieces(rows, roots: 100)).map(\.count) == [10])
  }

  @Test("An ordered list of tracks is never divided, whatever else its tracks refer to")
  func ordered() {
    let tracks: [(album: Int?, genre: Int?)] = [(0, 0), (2, 0), (1, 1), (0, 1)]
    let pieces = GraphPieces(GraphPieceTests.library(albums: 3, genres: 2, tracks: tracks, isOrdered: true), roots: 1)
    for piece in pieces.pieces {
      for row in piece.rows where row.table == 0 {
        let own = tracks.indices.filter { tracks[$0].album == row.row }
        #expect(own.allSatisfy { piece.rows.contains(.init(table: 2, row: $0)) })
      }
    }
    #expect(pieces.pieces.count == 3)
  }

  @Test("No row of random graphs refers to a later piece, and every row and pair is in one piece")
  func random() {
    var generator = SplitMix64(seed: 20_261_126)
    for round in 0..<50 {
      let (albums, genres) = (Int.random(in: 0...9, using: &generator), Int.random(in: 0...9, using: &generator))
      let tracks = (0..<20).map { _ in
        (
          album: albums > 0 ? Int.random(in: -1..<albums, using: &generator) : -1,
          genre: genres > 0 ? Int.random(in: -1..<genres, using: &generator) : -1
        )
      }
      let rows = GraphPieceTests.library(
        albums: albums, genres: genres,
        tracks: tracks.map { ($0.album < 0 ? nil : $0.album, $0.genre < 0 ? nil : $0.genre) },
        isOrdered: round.isMultiple(of: 2))
      let pieces = GraphPieces(rows, roots: round % 4 + 1)
      var seen: Set<GraphPieces.Row> = []
      var pairs = 0
      for piece in pieces.pieces {
        let new = Set(piece.rows)
        #expect(new.isDisjoint(with: seen) && new.count == piece.rows.count)
        seen.formUnion(new)
        for (relationship, pair) in piece.pairs {
          #expect(seen.contains(.init(table: rows.relationships[relationship].table, row: pair.row)))
          #expect(seen.contains(.init(table: pair.destinationTable, row: pair.destinationRow)))
        }
        pairs += piece.pairs.count
      }
      #expect(seen.count == rows.count && pairs == rows.relationships.map(\.pairs.count).reduce(0, +))
    }
  }
}
