// The compact dictionary of a row: it is read and written like a dictionary, and is a value like one.
import CoreDataModel
import MissionTags
import Testing

@Suite("B7 · the dictionary of one row", .tags(.b7))
struct RowDictionaryTests {
  private let row: RowDictionary = ["code": "a", "magnitude": 4.5, "place": .null]

  @Test("Values are found by name, in the order they came")
  func reading() {
    #expect(row["code"] == "a" && row["magnitude"] == 4.5 && row["place"] == .null && row["time"] == nil)
    #expect(row.map(\.key) == ["code", "magnitude", "place"] && row.count == 3 && !row.isEmpty)
    #expect(RowDictionary().isEmpty && RowDictionary()["code"] == nil)
  }

  @Test("A value is set, replaced and removed; if a literal has a name twice, the later value counts")
  func writing() {
    var row = row
    row["magnitude"] = 5
    row["code"] = nil
    row["time"] = 1
    row["none"] = nil
    #expect(row.map(\.key) == ["magnitude", "place", "time"] && row["magnitude"] == 5 && row["code"] == nil)
    let twice: RowDictionary = ["code": "a", "code": "b"]
    #expect(twice.count == 1 && twice["code"] == "b")
  }

  @Test("A copy is independent of its original, whichever of the two is changed and however")
  func copies() {
    let original = row
    var (changed, longer, shorter) = (original, original, original)
    changed["code"] = "b"
    longer["time"] = 1
    shorter["code"] = nil
    #expect(original == row && original["code"] == "a" && original.count == 3)
    #expect(changed["code"] == "b" && longer.count == 4 && shorter.count == 2)
  }

  @Test("A row dictionary has as many values as a dictionary with the same values, in any order")
  func likeADictionary() {
    var state: UInt64 = 42
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
    var row = RowDictionary(minimumCapacity: 0)
    var dictionary: [String: AttributeValue] = [:]
    for number in 0..<2_000 {
      let key = "attribute\(next() % 40)"
      let value: AttributeValue? = next() % 3 == 0 ? nil : .string("a text of its own, number \(number)")
      row[key] = value
      dictionary[key] = value
      #expect(row.count == dictionary.count && row[key] == value)
    }
    #expect(dictionary.allSatisfy { row[$0.key] == $0.value })
    #expect(row == RowDictionary(dictionary) && row.hashValue == RowDictionary(dictionary).hashValue)
    row["attribute0"] = "another"
    dictionary["attribute0"] = "one"
    #expect(row != RowDictionary(dictionary))
  }
}
