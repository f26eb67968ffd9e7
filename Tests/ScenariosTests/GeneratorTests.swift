// The embedded generator: a seed gives the same rows everywhere, with the shape of a feed's rows.
import CoreDataModel
import MissionTags
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A8 · the earthquake generator", .tags(.a8))
struct GeneratorTests {
  private func rows(_ rows: Int, seed: UInt64 = 42, duplicates: Double = 0, of entity: EntityDescription = quake) throws
    -> ColumnarRows
  {
    try SourceDescription.generate(GeneratorSettings(rows: rows, seed: seed, duplicates: duplicates)).rows(for: entity)
  }

  /// An entity with every field that the generator makes.
  private let everything = EntityDescription("Quake", attributes: GeneratorSettings.attributes)

  @Test("The same seed gives the same rows on every machine")
  func pinned() throws {
    let all = try rows(1000, of: everything)
    #expect(all.count == 1000)
    #expect(String(all.hash(rows: 1000), radix: 16) == "ecc469a5a6c34a42")
    let repeated = try rows(1000, seed: 7, duplicates: 0.1)
    #expect(String(repeated.hash(rows: 1000), radix: 16) == "6b9940f0e69eb3d4")
  }

  @Test("Another seed gives other rows")
  func seeds() throws {
    #expect(try rows(100).hash(rows: 100) != rows(100, seed: 43).hash(rows: 100))
    #expect(try rows(100, seed: .max).count == 100)
  }

  @Test("A row depends on neither the number of rows nor the requested fields")
  func independence() throws {
    #expect(try rows(100).hash(rows: 50) == rows(50).hash(rows: 50))
    #expect(try rows(50, of: everything).reals("magnitude") == rows(50).reals("magnitude"))
  }

  @Test("Codes are unique and have the survey's form", arguments: [1, 2, 1000, 200_000])
  func codes(count: Int) throws {
    let codes = try rows(count, of: entity(("code", .string))).texts("code").compactMap { $0 }
    #expect(codes.count == count)
    #expect(Set(codes).count == count)
    #expect(codes.prefix(1000).allSatisfy { $0.wholeMatch(of: #/[a-z]{2}10[0-9a-z]{6}/#) != nil })
  }
}

extension GeneratorTests {
  @Test(
    "The share of duplicates is exact, and each repeats the code of an earlier row with values of its own",
    arguments: [
      (1000, 0.05, 50), (100, 0.29, 29), (999, 0.5, 499), (7, 0.1, 0), (10, 1, 9), (1, 1, 0), (3000, 0.001, 3),
    ])
  func duplicates(count: Int, share: Double, expected: Int) throws {
    let made = try rows(count, duplicates: share, of: everything)
    let codes = try made.texts("code").compactMap { $0 }
    #expect(codes.count == count)
    #expect(count - Set(codes).count == expected)
    let times = try made.reals("time")
    #expect(Set(times).count == count)
    let networks = try made.texts("net")
    #expect(zip(codes, networks).allSatisfy { $0.hasPrefix($1 ?? "?") })
  }

  @Test("Magnitudes follow Gutenberg and Richter's law with b = 1")
  func magnitudes() throws {
    let all = try rows(200_000).reals("magnitude")
    let magnitudes = all.compactMap { $0 }
    func share(from magnitude: Double) -> Double {
      Double(magnitudes.filter { $0 >= magnitude }.count) / Double(magnitudes.filter { $0 >= 0 }.count)
    }
    // Five standard deviations of the number in each tail.
    #expect(abs(share(from: 1) - 0.1) < 0.0035)
    #expect(abs(share(from: 2) - 0.01) < 0.0012)
    #expect(abs(share(from: 3) - 0.001) < 0.0004)
    #expect(abs(share(from: 0.5) - 0.3162) < 0.0055)
    let negative = magnitudes.filter { $0 < 0 }
    let negativeShare = Double(negative.count) / 200_000
    #expect(abs(negativeShare - 0.015625) < 0.002)
    #expect(negative.allSatisfy { $0 >= -1 })
    #expect(magnitudes.allSatisfy { Double("\($0)") == $0 && "\($0)".count <= 5 }, "two decimals at most")
  }

  @Test("About one optional magnitude in a thousand is null, and no required one")
  func nulls() throws {
    let missing = try rows(100_000).reals("magnitude").count { $0 == nil }
    #expect((50...150).contains(missing))
    let required = EntityDescription("Quake", attributes: [AttributeDescription("magnitude", .double)])
    #expect(try rows(100_000, of: required).reals("magnitude").allSatisfy { $0 != nil })
  }

  @Test("Places have the survey's wording, some with non-ASCII letters")
  func places() throws {
    let places = try rows(5000).texts("place").compactMap { $0 }
    #expect(places.count == 5000)
    #expect(places.allSatisfy { $0.prefixMatch(of: #/[0-9]+km [NESW]{1,3} of /#) != nil })
    #expect(places.contains { !$0.unicodeScalars.allSatisfy(\.isASCII) })
    #expect(Set(places).count > 3000)
  }
}

extension GeneratorTests {
  @Test("Values stay within the ranges of real feeds")
  func ranges() throws {
    let all = try rows(20_000, of: everything)
    #expect(try all.reals("latitude").allSatisfy { (-90...90).contains($0 ?? 99) })
    #expect(try all.reals("longitude").allSatisfy { (-180...180).contains($0 ?? 999) })
    #expect(try all.reals("depth").allSatisfy { (-10...700).contains($0 ?? 999) })
    #expect(try all.integers("nst").contains(nil))
    #expect(try all.integers("nst").allSatisfy { (0...200).contains($0 ?? 4) })
    #expect(Set(try all.texts("status")) == ["automatic", "reviewed"])
    #expect(try all.texts("type").count { $0 == "earthquake" } > 19_000)
    let (times, updates) = (try all.reals("time"), try all.reals("updated"))
    #expect(zip(times, updates).allSatisfy { ($0 ?? 1) <= ($1 ?? 0) })
    #expect(zip(times, times.dropFirst()).allSatisfy { ($0 ?? 0) > ($1 ?? 1) }, "newest first")
  }

  @Test("An attribute's type decides its column", .tags(.d1))
  func types() throws {
    let made = try rows(10, of: entity(("magnitude", .float), ("nst", .double), ("gap", .decimal)))
    #expect(try made.reals("magnitude").allSatisfy { $0.map { Double(Float($0)) == $0 } ?? true })
    #expect(try made.reals("nst").count == 10)
    #expect(try made.reals("gap").count == 10)
  }

  @Test("A field that the generator does not make, or of a wrong type, is an error")
  func wrongFields() throws {
    let unknown = #expect(throws: SourceError.self) { try rows(1, of: entity(("magnitud", .double))) }
    #expect(
      unknown?.description.hasPrefix(
        "the generator: found no field for the attribute 'magnitud' of Quake; expected one of code, magnitude,") == true
    )
    #expect(unknown?.suggestion == "magnitude")
    #expect(unknown?.isUnreadable == false)
    let wrong = #expect(throws: SourceError.self) { try rows(1, of: entity(("time", .string))) }
    #expect(wrong?.description == "the generator: found the type 'string' of the attribute 'time'; expected date")
  }

  @Test("The summary says what was generated")
  func summary() {
    #expect(SourceDescription.generate(GeneratorSettings(rows: 5)).summary == "generated earthquakes, seed 42")
    #expect(
      SourceDescription.generate(GeneratorSettings(rows: 5, seed: 1, duplicates: 0.07)).summary
        == "generated earthquakes, seed 1, 7% duplicate codes")
    #expect(SourceDescription.feed(path: "a/b/month.csv").summary == "feed month.csv")
  }
}
