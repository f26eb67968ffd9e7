// Rows made from a profile, stored by every strategy.
internal import CoreDataModel
import BatchmarkEngine
import Engines
import Foundation
import MissionTags
import ObjectGraph
import Scenarios
import StoreFixtures
import Testing
import Harness

@Suite("A8 D10 · storing synthetic data", .tags(.a8, .d10))
struct SyntheticSourceTests {
  /// Rows of every type, null or not, with every kind of relationship.
  private static let text = """
    scenario: synthetic
    model:
      Album:
        attributes:
          code: {type: uuid}
          price: {type: decimal, optional: true}
          share: {type: float, optional: true}
          link: {type: uri, optional: true}
          isNew: {type: boolean}
          size: {type: int32}
        relationships:
          songs: {to: Song, inverse: album, many: true, ordered: true, optional: false}
          tags: {to: Tag, inverse: albums, many: true, ordered: true}
          cover: {to: Cover, inverse: album}
          parent: {to: Album, inverse: parts}
          parts: {to: Album, inverse: parent, many: true}
        unique: [[code]]
      Song:
        attributes: {title: {type: string}, date: {type: date, optional: true}, number: {type: int16}}
        relationships: {album: {to: Album, inverse: songs, optional: false}}
      Tag:
        attributes: {name: {type: string}}
        relationships: {albums: {to: Album, inverse: tags, many: true}}
        unique: [[name]]
      Cover:
        attributes: {data: {type: binary}}
        relationships: {album: {to: Album, inverse: cover, optional: false}}
      Sleeve: {parent: Cover, attributes: {text: {type: transformable, optional: true}}}
    source:
      synthetic:
        entities:
          Album:
            rows: 12
            attributes:
              code: {distinct: 12, lengths: {16: 12}}
              price: {nulls: 2, distinct: 9, lengths: {1: 4, 8: 6}}
              share: {nulls: 4, distinct: 8, lengths: {6: 4, 8: 4}}
              link: {distinct: 10, lengths: {1: 2, 30: 10}}
              isNew: {distinct: 2, lengths: {0: 12}}
              size: {distinct: 5, lengths: {0: 1, 1: 5, 4: 6}}
            relationships:
              parent: {Album: {per_row: {1: 9}, per_destination: {2: 3, 3: 1}}}
          Song:
            rows: 60
            attributes:
              title: {distinct: 58, lengths: {8: 30, 200: 30}}
              date: {nulls: 30, distinct: 30, lengths: {4: 10, 8: 20}}
              number: {distinct: 12, lengths: {0: 5, 1: 55}}
            relationships: {album: {Album: {per_row: {1: 60}, per_destination: {4: 10, 10: 2}}}}
          Tag:
            rows: 5
            attributes: {name: {distinct: 5, lengths: {6: 5}}}
            relationships: {albums: {Album: {per_row: {3: 5}, per_destination: {1: 5, 2: 5}}}}
          Cover:
            rows: 4
            attributes: {data: {distinct: 4, lengths: {900: 4}}}
            relationships: {album: {Album: {per_row: {1: 4}, per_destination: {1: 4}}}}
          Sleeve:
            rows: 3
            attributes: {data: {distinct: 2, lengths: {0: 1, 7: 2}}, text: {nulls: 2, distinct: 1, lengths: {5: 1}}}
            relationships: {album: {Album: {per_row: {1: 3}, per_destination: {1: 3}}}}
    measure: {warm_up: 0}
    cells:
    \(cellsOfSeveralEntities.map { "  - " + $0 }.joined(separator: "\n"))
    """

  @Test("Every strategy stores rows of every type and kind of relationship, with one hash")
  func everyKind() throws {
    let samples = try takeSamples(of: SyntheticSourceTests.text)
    #expect(samples.count == cellsOfSeveralEntities.count)
    #expect(Set(samples.map(\.contents.rows)) == [84])
    #expect(Set(samples.map(\.contents.contentHash)).count == 1)
    let links = samples.compactMap(\.contents.links)
    #expect(links.count == samples.count { givesRelationships($0.cell) })
    #expect(Set(links).count == 1)
    #expect(
      Dictionary(uniqueKeysWithValues: links[0].map { ($0.relationship, $0.linkedRows) }) == [
        "Album.cover": 7, "Album.parent": 9, "Album.tags": 15, "Song.album": 60, "Cover.album": 4, "Sleeve.album": 3,
      ])
  }

  @Test(
    "Every strategy stores the synthetic data of a store, with one hash that is not the store's",
    arguments: SampleStore.all.filter { !$0.isEmpty })
  func stores(store: SampleStore) throws {
    let (path, rows) = (try store.path, store.rows)
    // A replay works with all strategies. Use one of each kind if the store has many rows or time is short.
    let kinds = ["{strategy: save}", "{strategy: batch-dictionary}", "{engine: sqlite, strategy: insert-many}"]
    let isLarge = rows > 1_000 || !store.isOwn && !isThorough
    let cells = isLarge ? kinds : cellsOfSeveralEntities
    let text = try AnonymousScenario(ofStoreAt: path, cells: cells).text + "measure: {warm_up: 0}\n"
    let samples = try takeSamples(of: text)
    #expect(samples.count == cells.count)
    #expect(Set(samples.map(\.contents.rows)) == [rows])
    #expect(Set(samples.map(\.contents.contentHash)).count == 1)
    let original = try ScenarioReader(schema: ScenarioSchema(BuiltInEngines.all))
      .read(text: "scenario: s\nsource: {store: '\(path)'}\ncells: [{strategy: save}]\n", file: "test.yml").sourceRows()
    let expected = ExpectedContents(of: original.tables.map { ExpectedRows(of: $0) })
    #expect(expected.contentHash != samples.first?.contents.contentHash)
    let links = samples.compactMap(\.contents.links).joined()
    for related in original.relationships {
      let name = "\(original.tables[related.table].entityName).\(related.relationship.name)"
      let pairs = links.first { $0.relationship == name }?.linkedRows ?? 0
      // A store may have only one end of a one-to-one relationship, but synthetic data has both.
      let isOneToOne = related.inverse?.isToMany == false && !related.relationship.isToMany
      #expect(isOneToOne ? pairs >= related.pairs.count : pairs == related.pairs.count, "\(name)")
    }
  }

  @Test(
    "Rows of a single synthetic entity can be deleted and fetched like those of a feed",
    arguments: [("delete", "batch-delete", 0), ("fetch", "count", 5)])
  func operations(operation: String, strategy: String, rows: Int) throws {
    let lines = String(SyntheticSourceTests.text.split(separator: "measure:")[0])
      .replacing("source:\n", with: "source:\n  entity: Tag\n")
    let text = lines + "operation: \(operation)\ncells: [{strategy: \(strategy)}]\nmeasure: {warm_up: 0}\n"
    let sample = try #require(try takeSamples(of: text).first)
    #expect(sample.contents.rows == rows)
  }

  @Test("Rows that need a minimum number of others are related, whatever the size of pieces", .tags(.b8))
  func minimumCounts() throws {
    let samples = try takeSamples(
      of: """
        scenario: test
        model:
          Genre:
            attributes: {name: {type: string}}
            relationships: {tracks: {to: Track, inverse: genre, many: true, min: 2}}
          Track:
            attributes: {title: {type: string}}
            relationships: {genre: {to: Genre, inverse: tracks}}
        source:
          synthetic:
            entities:
              Genre: {rows: 2, attributes: {name: {}}}
              Track: {rows: 40, attributes: {title: {}}, relationships: {genre: {Genre: {}}}}
        measure: {warm_up: 0}
        cells:
          - {strategy: save}
          - {strategy: batch-dictionary, link_every: 1}
        """)
    #expect(samples.map(\.contents.rows) == [42, 42])
    #expect(Set(samples.map(\.contents.contentHash)).count == 1 && Set(samples.map(\.contents.links)).count == 1)
  }
}
