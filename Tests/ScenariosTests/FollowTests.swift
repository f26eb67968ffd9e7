// Relationships that a fetch follows: the sources and models that have them, and mistakes in a path.
import BatchmarkEngine
import MissionTags
import Testing

@testable import Scenarios

@Suite("D3 · following relationships", .tags(.d3, .a15))
struct FollowTests {
  private func text(_ path: String, strategy: String = "objects", source: String = "", lines: String = "") -> String {
    """
    scenario: s
    model:
      Track:
        attributes: {title: {type: string}}
        relationships: {album: {to: Album, inverse: tracks}, artist: {to: Artist, inverse: tracks}}
      Album:
        attributes: {title: {type: string}}
        relationships: {tracks: {to: Track, inverse: album, many: true}}
      Artist:
        attributes: {name: {type: string}}
        relationships: {tracks: {to: Track, inverse: artist, many: true}}
    entity: Album
    source:
      \(source)
      synthetic:
        entities:
          Album: {rows: 5, attributes: {title: {}}}
          Artist: {rows: 3, attributes: {name: {}}}
          Track: {rows: 20, attributes: {title: {}}, relationships: {album: {Album: {}}, artist: {Artist: {}}}}
    operation: fetch
    follow: \(path)
    \(lines)
    cells: [{strategy: \(strategy)}]

    """
  }

  @Test("The named entity comes first, and all others are stored with it")
  func path() throws {
    let scenario = try read(text("tracks.artist"))
    #expect(scenario.operation.query.path == ["tracks", "artist"])
    #expect(scenario.entityName == "Album" && Set(scenario.entityNames) == ["Album", "Track", "Artist"])
    #expect(scenario.operation.query.description == "with tracks.artist")
    let other = try read(text("tracks"))
    #expect(other.fingerprint != scenario.fingerprint)
    #expect(try scenario.sourceRows().tables.map(\.entityName).sorted() == ["Album", "Artist", "Track"])
  }

  @Test("A path that the model lacks is named, and so is a strategy that cannot follow one")
  func wrong() {
    func found(_ text: String) -> String { complaints(text).joined(separator: "\n") }
    #expect(found(text("track")).contains("found the relationship 'track' of Album; expected tracks"))
    #expect(found(text("tracks.title")).contains("found the relationship 'title' of Track; expected one of "))
    #expect(found(text("tracks..artist")).contains("found the path 'tracks..artist'"))
    #expect(found(text("tracks", strategy: "count")).contains("which cannot follow relationships; expected one of "))
    #expect(found(text("tracks", source: "entity: Album")).contains("found the key 'follow' with rows of one entity"))
    #expect(found(text("tracks", lines: "indexes: none")).contains("found the key 'indexes' with the rows of several"))
    let grouped = text("tracks", lines: "group_by: title\naggregates: [count]")
    #expect(found(grouped).contains("found the key 'follow' with the key 'group_by'"))
  }
}
