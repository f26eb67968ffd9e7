// A user's own rows: attributes from ranges, lengths and lists, and relationships by how often each row is a
// destination.
import CoreDataModel
import Foundation
import MissionTags
import Testing

@testable import BatchmarkEngine
@testable import Scenarios

/// A scenario with one entity, `Thing`, with these attributes and the recipes of their values.
func drawn(
  _ attributes: String, _ recipes: String, rows: Int = 1_000, more: String = "", rest: String = ""
) -> String {
  """
  scenario: s
  model:
    Thing:
      attributes: {\(attributes)}
      \(more)
  source:
    synthetic:
      seed: 42
      entities: {Thing: {rows: \(rows), attributes: {\(recipes)}}}
  \(rest)cells: [{strategy: save}]

  """
}

/// The rows of the first entity.
private func rows(_ text: String, _ settings: String...) throws -> ColumnarRows {
  let scenario = try ScenarioReader(schema: schema).read(
    text: text, file: "x.yml",
    overrides: settings.map {
      let parts = $0.split(separator: "=").map(String.init)
      return ScenarioOverride(key: parts[0], value: parts[1], origin: "--set \($0)")
    })
  return try #require(try scenario.sourceRows().tables.first)
}

@Suite("A8 · values of synthetic attributes", .tags(.a8))
struct RecipeTests {
  private static let everyType = """
    small: {type: int16}, middle: {type: int32}, large: {type: int64}, flag: {type: boolean}, single: {type: float},
        real: {type: double}, price: {type: decimal}, time: {type: date}, name: {type: string}, data: {type: binary},
        id: {type: uuid}, link: {type: uri}, object: {type: transformable}
    """
  private static let nothingSaid = """
    small: {}, middle: {}, large: {}, flag: {}, single: {}, real: {}, price: {}, time: {}, name: {}, data: {}, id: {},
        link: {}, object: {}
    """

  @Test("Attributes of every type have values by default, the same on every machine")
  func everyType() throws {
    let rows = try rows(drawn(RecipeTests.everyType, RecipeTests.nothingSaid))
    #expect(rows.count == 1_000 && rows.columns.count == 13)
    #expect(try rows.integers("small").allSatisfy { (0...32_767).contains(try #require($0)) })
    #expect(try rows.integers("large").allSatisfy { (0...9_999).contains(try #require($0)) })
    #expect(try Set(rows.integers("flag")) == [0, 1])
    #expect(try rows.reals("real").allSatisfy { (0...1_000).contains(try #require($0)) })
    for number in try rows.reals("single").compactMap(\.self) { #expect(Double(Float(number)) == number) }
    #expect(try rows.texts("name").allSatisfy { (8...24).contains(try #require($0).count) })
    #expect(try rows.blobs("id").allSatisfy { $0?.count == 16 })
    #expect(try Set(rows.blobs("id")).count == 1_000)
    for text in try rows.texts("link").compactMap(\.self) { #expect(URL(string: text)?.absoluteString == text) }
    // A known answer: if these values changed, everyone would get other rows.
    #expect(rows.hash(rows: 1_000) == 13_686_811_254_151_339_223)
    #expect(try rows.texts("name").prefix(2) == ["Rt5wxIMhgsjSOl24L5qtT", "WazVzWBRk1Ifr6mpvh1"])
    #expect(try rows.integers("middle").prefix(4) == [5_328, 5_516, 6_601, 8_567])
    #expect(try rows.reals("time").prefix(2) == [691_459_789.752, 750_583_570.630])
  }

  @Test("Numbers and times are within their range, including both ends, with at most the requested decimals")
  func ranges() throws {
    let rows = try rows(
      drawn(
        "n: {type: int16}, r: {type: double}, f: {type: float}, p: {type: decimal}, t: {type: date}",
        """
        n: {range: [-3, 3]}, r: {range: [-0.5, 0.5], decimals: 1}, f: {range: [1, 2], decimals: 0},
                p: {range: [9.9, 10.1], decimals: 2}, t: {range: [2020-01-01, 2020-01-01T00:00:00.003Z]}
        """))
    #expect(try Set(rows.integers("n")) == Set((-3...3).map { $0 }))
    #expect(try Set(rows.reals("r")) == [-0.5, -0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.5])
    #expect(try Set(rows.reals("f")) == [1, 2])
    #expect(try Set(rows.reals("p")) == Set((990...1_010).map { Double($0) / 100 }))
    #expect(try Set(rows.reals("t")) == Set((0...3).map { Double(599_529_600_000 + $0) / 1_000 }))
  }

  @Test("A share or a number of nulls is kept exactly; which rows have them follows no order")
  func nulls() throws {
    let rows = try rows(
      drawn(
        "a: {type: string, optional: true}, b: {type: int32, optional: true}, c: {type: boolean, optional: true}, "
          + "d: {type: int32, optional: true}",
        "a: {nulls: 12.5%}, b: {nulls: 999, range: [1, 1]}, c: {nulls: 100%}"))
    let texts = try rows.texts("a")
    #expect(texts.count { $0 == nil } == 125)
    #expect((80...170).contains(texts.prefix(500).count { $0 == nil } * 2))
    #expect(try rows.integers("b").compactMap(\.self) == [1])
    #expect(try rows.integers("c").allSatisfy { $0 == nil })
    // An attribute without a recipe is null in every row.
    #expect(try rows.integers("d").allSatisfy { $0 == nil })
  }
}

extension RecipeTests {
  @Test("Text has the requested lengths and characters, counted in characters and not bytes")
  func texts() throws {
    let rows = try rows(
      drawn(
        "a: {type: string}, b: {type: string}, c: {type: string}, d: {type: binary}, e: {type: uri}",
        """
        a: {lengths: [2, 4], alphabet: hexadecimal}, b: {lengths: 3, characters: "aß東🌋"}, c: {lengths: [0, 1]},
                d: {lengths: [0, 300]}, e: {lengths: 5}
        """))
    let hexadecimal = try rows.texts("a").compactMap(\.self)
    #expect(Set(hexadecimal.map(\.count)) == [2, 3, 4])
    #expect(Set(hexadecimal.joined()) == Set("0123456789abcdef"))
    let own = try rows.texts("b").compactMap(\.self)
    #expect(own.allSatisfy { $0.count == 3 } && Set(own.joined()) == Set("aß東🌋"))
    #expect(try Set(rows.texts("c").map { $0?.count }) == [0, 1])
    let blobs = try rows.blobs("d").compactMap(\.self)
    #expect(blobs.contains { $0.count > 290 } && blobs.allSatisfy { $0.count <= 300 })
    #expect(Set(blobs.joined()).count == 256)
    #expect(try rows.texts("e").allSatisfy { $0?.utf8.count == 5 })
  }

  @Test("A number of distinct values is kept exactly, for any type and distribution")
  func distinct() throws {
    let rows = try rows(
      drawn(
        "a: {type: string}, b: {type: int64}, c: {type: double}, d: {type: uuid}, e: {type: binary}, f: {type: date}",
        """
        a: {distinct: 40, distribution: zipf}, b: {distinct: 1_000}, c: {distinct: 7, range: [0, 1]}, d: {distinct: 3},
                e: {distinct: 1, lengths: 4}, f: {distinct: 999}
        """))
    let texts = try rows.texts("a")
    #expect(Set(texts).count == 40)
    // 960 rows come after the first 40. The most frequent value has about 960 / H(40) of them, which is 224.
    let counts = texts.reduce(into: [String?: Int]()) { $0[$1, default: 0] += 1 }.values.sorted(by: >)
    #expect((170...280).contains(counts[0]) && counts[0] > counts[1] && counts[39] < 20)
    #expect(try Set(rows.integers("b")).count == 1_000)
    #expect(try Set(rows.reals("c")).count == 7)
    #expect(try Set(rows.blobs("d")).count == 3)
    #expect(try Set(rows.blobs("e")).count == 1)
    #expect(try Set(rows.reals("f")).count == 999)
  }

  @Test("Values of a list are drawn equally often, or the first most often")
  func listed() throws {
    let rows = try rows(
      drawn(
        "a: {type: string}, b: {type: int32}, c: {type: date}, d: {type: uuid}",
        """
        a: {values: [draft, "null", ""], distribution: zipf, exponent: 2}, b: {values: [1_000, -2]},
                c: {values: [2001-01-01, 2001-01-02]}, d: {values: [3E4666BF-D5E5-4AA7-B8CE-CEFE41C7568A]}
        """))
    let counts = try rows.texts("a").reduce(into: [String?: Int]()) { $0[$1, default: 0] += 1 }
    // In the ratio of 1 to a quarter to a ninth: 735, 184 and 82 of a thousand.
    #expect((670...800).contains(counts["draft"] ?? 0) && (130...240).contains(counts["null"] ?? 0))
    #expect((40...130).contains(counts[""] ?? 0) && counts.count == 3)
    #expect(try Set(rows.integers("b")) == [1_000, -2])
    #expect(try Set(rows.reals("c")) == [0, 86_400])
    #expect(try Set(rows.blobs("d").map { $0?.prefix(2) }) == [[0x3E, 0x46]])
  }
}

extension RecipeTests {
  @Test("Numbers and lengths follow the requested distribution")
  func distributions() throws {
    let rows = try rows(
      drawn(
        "a: {type: int32}, b: {type: double}, c: {type: string}, d: {type: int32}, e: {type: boolean}, f: {type: date}",
        """
        a: {range: [100, 200], distribution: normal}, b: {range: [0, 10], distribution: normal, mean: 2, deviation: 0.5},
                c: {lengths: [1, 50], distribution: normal, mean: 20, deviation: 3}, d: {range: [5, 500], distribution: zipf},
                e: {trues: 20%},
                f: {range: [2020-01-01, 2022-01-01], distribution: normal, mean: 2021-01-01, deviation: 10}
        """, rows: 10_000))
    func moments(_ numbers: [Double]) -> (mean: Double, deviation: Double) {
      let mean = numbers.reduce(0, +) / Double(numbers.count)
      return (mean, (numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)).squareRoot())
    }
    // By default, the middle of the range and a sixth of it.
    let a = moments(try rows.integers("a").map { Double(try #require($0)) })
    #expect(abs(a.mean - 150) < 0.8 && abs(a.deviation - 16.5) < 0.7)
    let b = moments(try rows.reals("b").compactMap(\.self))
    #expect(abs(b.mean - 2) < 0.03 && abs(b.deviation - 0.5) < 0.02)
    let c = moments(try rows.texts("c").map { Double(try #require($0).count) })
    #expect(abs(c.mean - 20) < 0.2 && abs(c.deviation - 3) < 0.15)
    let f = moments(try rows.reals("f").compactMap(\.self))
    #expect(abs(f.mean - 631_152_000) < 40_000 && abs(f.deviation / 86_400 - 10) < 0.4)
    let d = try rows.integers("d").compactMap(\.self)
    #expect(d.min() == 5 && (1_350...1_600).contains(d.count { $0 == 5 }) && (630...850).contains(d.count { $0 == 6 }))
    #expect((1_840...2_160).contains(try rows.integers("e").count { $0 == 1 }))
  }

  @Test("Unique attributes have no repeated value, over all tables of a hierarchy, at any scale", arguments: [1, 3])
  func unique(scale: Int) throws {
    let text = """
      scenario: s
      model:
        Part:
          attributes: {code: {type: string}, shelf: {type: int16}, number: {type: int32}}
          unique: [[code], [shelf, number]]
        Spare: {parent: Part}
      source:
        synthetic:
          scale: \(scale)
          entities:
            Part: {rows: 60, attributes: {code: {lengths: [2, 3], alphabet: digits}, shelf: {range: [1, 3]}, number: {distinct: 60}}}
            Spare: {rows: 20, attributes: {code: {lengths: [2, 3], alphabet: digits}, shelf: {range: [1, 3]}, number: {distinct: 20}}}
      cells: [{strategy: save}]
      """
    let scenario = try read(text)
    guard scale == 1 else {
      // Two digits make a hundred texts, which is less than three times sixty rows.
      let error = #expect(throws: SourceError.self) { try scenario.sourceRows() }
      #expect(error?.found == "180 different values")
      return
    }
    let tables = try scenario.sourceRows().tables
    #expect(tables.map(\.count) == [60, 20])
    #expect(try Set(tables.flatMap { try $0.texts("code") }).count == 80)
    #expect(try Set(tables.flatMap { try $0.integers("number") }).count == 80)
  }

  @Test("A unique whole number without further rules has enough values at any scale", arguments: [1, 30])
  func uniqueNumbers(scale: Int) throws {
    let text = drawn("id: {type: int32}", "id: {}", more: "unique: [[id]]")
    let ids = try rows(text, "scale=\(scale)").integers("id")
    #expect(Set(ids).count == 1_000 * scale)
    #expect(try ids.allSatisfy { (0..<max(10_000, 1_000 * scale)).contains(Int(try #require($0))) })
  }

  @Test("Unique whole numbers without further rules are enough for all entities that share a table, at any scale")
  func uniqueNumbersOfHierarchy() throws {
    let text = """
      scenario: s
      model:
        Part: {attributes: {id: {type: int32}}, unique: [[id]]}
        Spare: {parent: Part}
      source:
        synthetic:
          scale: 2
          entities:
            Part: {rows: 6_000, attributes: {id: {}}}
            Spare: {rows: 300, attributes: {id: {}}}
      cells: [{strategy: save}]
      """
    let tables = try read(text).sourceRows().tables
    #expect(tables.map(\.count) == [12_000, 600])
    let ids = try tables.flatMap { try $0.integers("id").compactMap(\.self) }
    #expect(Set(ids).count == 12_600 && ids.allSatisfy { (0..<12_600).contains($0) })
  }

  @Test("The model's own ranges and lengths apply if a scenario has none")
  func rules() throws {
    let rows = try rows(
      drawn(
        "a: {type: int32, min: 20_000, max: 20_001}, b: {type: string, min_length: 30}, c: {type: string, max_length: 3}",
        "a: {}, b: {}, c: {}"))
    #expect(try Set(rows.integers("a")) == [20_000, 20_001])
    #expect(try Set(rows.texts("b").map { $0?.count }) == [30])
    #expect(try Set(rows.texts("c").map { $0?.count }) == [3])
  }

  @Test("A seed determines the rows, and a change of a recipe makes another question")
  func seeds() throws {
    let text = drawn("a: {type: int32}, b: {type: string}", "a: {range: [1, 9]}, b: {}")
    let hash = try rows(text).hash(rows: 1_000)
    #expect(try rows(text, "seed=42").hash(rows: 1_000) == hash)
    #expect(try rows(text, "seed=43").hash(rows: 1_000) != hash)
    let fingerprint = try read(text).fingerprint
    #expect(try read(text, "seed=43").fingerprint != fingerprint)
    let changes = [("[1, 9]", "[1, 10]"), ("b: {}", "b: {lengths: 8}"), ("b: {}", "b: {distinct: 5}")]
    for (old, new) in changes { #expect(try read(text.replacing(old, with: new)).fingerprint != fingerprint) }
    // The values of an attribute do not depend on the others.
    let alone = try rows(drawn("a: {type: int32}", "a: {range: [1, 9]}"))
    #expect(try alone.integers("a") == rows(text).integers("a"))
  }
}

@Suite("A8 · links of synthetic rows", .tags(.a8))
struct LinkRecipeTests {
  private static let model = """
    Author:
        attributes: {name: {type: string}}
        relationships:
          books: {to: Book, inverse: author, many: true}
          prizes: {to: Prize, inverse: winners, many: true, ordered: true}
          desk: {to: Desk, inverse: owner}
          mentor: {to: Author, inverse: pupils}
          pupils: {to: Author, inverse: mentor, many: true}
      Book:
        attributes: {title: {type: string}}
        relationships: {author: {to: Author, inverse: books}}
      Prize:
        attributes: {name: {type: string}}
        relationships: {winners: {to: Author, inverse: prizes, many: true}}
      Desk:
        attributes: {place: {type: int16}}
        relationships: {owner: {to: Author, inverse: desk, optional: false}}
    """

  private func scenario(
    author: String = "{}", book: String = "{}", desk: String = "{owner: {Author: {}}}", model: String = model,
    authors: Int = 100
  ) -> String {
    """
    scenario: s
    model:
      \(model)
    source:
      synthetic:
        entities:
          Author: {rows: \(authors), attributes: {name: {}}, relationships: \(author)}
          Book: {rows: 5_000, attributes: {title: {}}, relationships: \(book)}
          Prize: {rows: 10, attributes: {name: {}}}
          Desk: {rows: 60, attributes: {place: {}}, relationships: \(desk)}
    cells: [{strategy: save}]
    """
  }

  /// The pairs of relationships by `Entity.name`.
  private func pairs(_ text: String) throws -> [String: [RelatedRows.Pair]] {
    let rows = try read(text).sourceRows()
    return Dictionary(
      uniqueKeysWithValues: rows.relationships.map {
        ("\(rows.tables[$0.table].entityName).\($0.relationship.name)", $0.pairs)
      })
  }

  private func counts(_ pairs: [RelatedRows.Pair]) -> [Int: Int] {
    pairs.reduce(into: [:]) { $0[$1.destinationRow, default: 0] += 1 }
  }

  @Test("Every row refers to one row, either each equally often or the most popular most often")
  func toOne() throws {
    let even = try #require(try pairs(scenario(book: "{author: {Author: {}}}"))["Book.author"])
    #expect(even.map(\.row) == Array(0..<5_000))
    #expect(counts(even).count == 100 && counts(even).values.allSatisfy { (18...90).contains($0) })
    let uneven = try #require(
      try pairs(scenario(book: "{author: {Author: {distribution: zipf, exponent: 1}}}"))["Book.author"])
    // 5,000 / H(100), which is 964, and half of it.
    let frequent = counts(uneven).values.sorted(by: >)
    #expect((860...1_070).contains(frequent[0]) && (410...560).contains(frequent[1]))
    #expect(counts(uneven).max { $0.value < $1.value }?.key != 0)
    #expect(even.prefix(5).map(\.destinationRow) == [4, 40, 2, 80, 32])
  }

  @Test("An exact share of the rows has no destination")
  func nowhere() throws {
    let found = try #require(try pairs(scenario(book: "{author: {Author: {nulls: 20%}}}"))["Book.author"])
    #expect(found.count == 4_000 && Set(found.map(\.row)).count == 4_000)
  }

  @Test("A one-to-one relationship refers to no row twice; with a required inverse, every row refers to one")
  func oneToOne() throws {
    let found = try #require(try pairs(scenario())["Desk.owner"])
    #expect(found.count == 60 && Set(found.map(\.destinationRow)).count == 60)
    let required = LinkRecipeTests.model.replacing(
      "inverse: author, many: true", with: "inverse: author, many: true, optional: false")
    let books = try #require(
      try pairs(scenario(book: "{author: {Author: {distribution: zipf, exponent: 3}}}", model: required))["Book.author"]
    )
    #expect(counts(books).count == 100)
  }
}

extension LinkRecipeTests {
  @Test("Rows of a to-many relationship refer to as many rows as requested, and to none twice")
  func toMany() throws {
    let found = try pairs(scenario(author: "{prizes: {Prize: {destinations: [0, 3], distribution: zipf}}}"))
    let prizes = try #require(found["Author.prizes"])
    let perRow = Dictionary(grouping: prizes, by: \.row).mapValues(\.count)
    #expect(Set(perRow.values) == [1, 2, 3] && (10...40).contains(100 - perRow.count))
    #expect(Set(prizes.map { [$0.row, $0.destinationRow] }).count == prizes.count)
    for pairs in Dictionary(grouping: prizes, by: \.row).values {
      #expect(pairs.map(\.position) == Array(pairs.indices))
    }
    // As many links as rows are links to every row.
    let all = try #require(try pairs(scenario(author: "{prizes: {Prize: {destinations: 10}}}"))["Author.prizes"])
    #expect(all.count == 1_000)
  }

  @Test("Rows that refer to rows of the same entity form trees")
  func trees() throws {
    let found = try #require(try pairs(scenario(author: "{mentor: {Author: {nulls: 10}}}"))["Author.mentor"])
    #expect((89...90).contains(found.count))
    #expect(found.allSatisfy { $0.destinationRow < $0.row })
  }

  @Test(
    "Impossible links are refused with what to write",
    arguments: [
      (
        "author: {books: {Book: {}}}",
        "found the to-many relationship 'books', whose inverse 'author' is to-one; "
          + "expected the relationship 'author' of Book, which describes both ends"
      ),
      (
        "author: {prizes: {Prize: {destinations: [0, 11]}}}",
        "found up to 11 destinations among 10 rows of Prize; expected at most 10"
      ),
      (
        "book: {author: {Author: {destinations: 2}}}",
        "found the key 'destinations' of the to-one relationship 'author'; expected nulls: and the share of rows that lead "
          + "nowhere, or no such key"
      ),
      (
        "desk: {owner: {Author: {nulls: 1}}}",
        "found 59 of 60 rows with 'owner', which is required; expected every row, such as relationships: {owner: {Author: "
          + "{}}}, or optional: true in the model"
      ),
      (
        "desk: {}",
        "found 0 of 60 rows with 'owner', which is required; expected every row, such as relationships: {owner: {Author: "
          + "{}}}, or optional: true in the model"
      ),
      (
        "book: {author: {Author: {exponent: 1}}}",
        "found the key 'exponent' without a Zipf distribution; expected distribution: zipf"
      ),
      (
        "book: {author: {Author: {distribution: zipf, exponent: 11}}}",
        "found '11'; expected a number above 0 and up to 10, such as 1"
      ),
      (
        "book: {author: {Author: {nulls: 5_001}}}", "found 5001 rows that lead nowhere; expected at most 5000"
      ),
      (
        "book: {author: {Author: {nulls: 0, per_row: {1: 5}, per_destination: {5: 1}}}}",
        "found the key 'nulls' beside counts of pairs; expected neither per_row nor per_destination, or no such key"
      ),
    ])
  func refused(change: String, complaint: String) throws {
    let (entity, links) = (change.prefix { $0 != ":" }, String(change.drop { $0 != "{" }))
    let text =
      switch entity {
      case "author": scenario(author: links)
      case "book": scenario(book: links)
      default: scenario(desk: links)
      }
    let found = complaints(text)
    #expect(found.count == 1 && found.first?.hasSuffix(complaint) == true, "\(found)")
  }

  @Test("More rows than possible destinations in a one-to-one relationship are refused")
  func tooMany() {
    let found = complaints(scenario(authors: 59))
    #expect(
      found.first?.hasSuffix(
        "found 60 rows that lead to 59 of Author, each of which can be led to once; expected at least as many rows of Author, or "
          + "nulls: 1") == true, "\(found)")
  }

  /// People and pupils, who are people, each with their own desk.
  private func desks(_ count: Int, people: String = "{}") -> String {
    """
    scenario: s
    model:
      Person:
        attributes: {name: {type: string}}
        relationships: {desk: {to: Desk, inverse: owner}}
      Pupil: {parent: Person}
      Desk:
        attributes: {place: {type: string}}
        relationships: {owner: {to: Person, inverse: desk}}
    source:
      synthetic:
        entities:
          Person: {rows: 30, attributes: {name: {}}, relationships: {desk: {Desk: \(people)}}}
          Pupil: {rows: 20, attributes: {name: {}}, relationships: {desk: {Desk: {}}}}
          Desk: {rows: \(count), attributes: {place: {}}}
    cells: [{strategy: save}]
    """
  }

  @Test(
    "Rows of an entity and of its sub-entity refer to different rows in a one-to-one relationship",
    arguments: [50, 60], ["{}", "{per_row: {1: 30}, per_destination: {1: 30}}"])
  func oneToOneInHierarchy(count: Int, people: String) throws {
    let found = try pairs(desks(count, people: people))
    let owners = try #require(found["Desk.owner"])
    #expect(owners.count == 50 && Set(owners.map(\.row)).count == 50)
    #expect(found["Person.desk"]?.count == 30 && found["Pupil.desk"]?.count == 20)
  }

  @Test(
    "More rows of a hierarchy than possible destinations in a one-to-one relationship are refused",
    arguments: ["{}", "{per_row: {1: 30}, per_destination: {1: 30}}"])
  func tooManyInHierarchy(people: String) {
    let found = complaints(desks(40, people: people))
    #expect(
      found.count == 1
        && found.first?.hasSuffix(
          "found 50 rows that lead to 40 of Desk, each of which can be led to once; expected at least as many rows of "
            + "Desk, or nulls: 10") == true,
      "\(found)")
  }
}
