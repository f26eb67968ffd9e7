// Predicates from typed keys.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraphFixtures
import Testing

@testable import ObjectGraph

@Suite("D3 · predicates from typed keys", .tags(.d3))
struct TypedPredicateTests {
  private static let felt = AttributeKey<Int64>("felt")
  private static let reviewed = AttributeKey<Bool>("reviewed")

  @Test("Operators on typed keys make the predicates that formats make")
  func operators() throws {
    let cases: [(FetchPredicate, String)] = [
      (Quake.magnitude > 2.5, "magnitude > 2.5"), (Quake.magnitude >= 2.5, "magnitude >= 2.5"),
      (Quake.magnitude < 2, "magnitude < 2.0"), (Quake.magnitude <= 2, "magnitude <= 2.0"),
      (Quake.magnitude == 2, "magnitude = 2.0"), (Quake.magnitude != 2, "magnitude != 2.0"),
      (Quake.magnitude == nil, "magnitude = NULL"), (Quake.place != nil, "place != NULL"),
      (Self.felt == 3, "felt = 3"), (Self.reviewed == true, "reviewed = TRUE"),
      (Quake.code.isIn(["a", "b"]), "code IN {'a', 'b'}"),
      (Quake.magnitude.isBetween(1...2.5), "magnitude BETWEEN {1.0, 2.5}"),
      (
        Quake.place.contains("Alaska", options: [.caseInsensitive, .diacriticInsensitive]),
        "place CONTAINS[cd] 'Alaska'"
      ),
      (Quake.place.beginsWith("A"), "place BEGINSWITH 'A'"), (Quake.place.endsWith("a"), "place ENDSWITH 'a'"),
      (Quake.place.isLike("*km*"), "place LIKE '*km*'"), (Quake.place.matches(".*"), "place MATCHES '.*'"),
      (Quake.place.isEqual(to: "x", options: .caseInsensitive), "place =[c] 'x'"),
      (AttributeKey<String>("network.name") == "ak", "network.name = 'ak'"),
      (
        Quake.magnitude > 2.5 && Quake.place.contains("A") && Self.felt > 1,
        "magnitude > 2.5 AND place CONTAINS 'A' AND felt > 1"
      ),
      (Quake.magnitude > 5 || !(Quake.place == "x") || Self.felt < 1, "magnitude > 5.0 OR NOT place = 'x' OR felt < 1"),
    ]
    for (typed, format) in cases { #expect(try FetchPredicate(format: format) == typed, "\(format)") }
  }

  @Test("Dates are compared through typed keys")
  func dates() throws {
    let date = Date(timeIntervalSinceReferenceDate: 10)
    #expect(try FetchPredicate(format: "time > %@", date) == (Quake.time > date))
  }

  @Test("A date beyond any calendar has a description too, in a predicate and in metadata")
  func impossibleDates() {
    for (seconds, text) in [
      (0, "2001-01-01T00:00:00Z"), (Double.infinity, "inf seconds after 2001-01-01"),
      (.nan, "nan seconds after 2001-01-01"), (-1e300, "-1e+300 seconds after 2001-01-01"),
    ] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      #expect("\(Quake.time > date)" == "time > \(text)" && "\(MetadataValue.date(date))" == text)
    }
  }

  @Test("Ordinary operators keep their meaning")
  func ordinary() {
    let magnitude = 3.0
    #expect(magnitude > 2.5 && magnitude != 2 || magnitude == 1)
    #expect(!(magnitude < 2.5) && [1, 2].contains(2) && "ab".contains("a"))
  }
}
