// Columns as engines read them.
import MissionTags
import BatchmarkEngine
import Testing

@Suite("A8 · columns", .tags(.a8))
struct ColumnTests {
  @Test("Columns of numbers made from optionals and from flags are equal")
  func numbers() {
    let one = NumberColumn<Int64>([1, nil, 3], placeholder: 0)
    let other = NumberColumn<Int64>(numbers: [1, 0, 3], nulls: [false, true, false])
    #expect((0..<3).map { one[$0] } == [1, nil, 3])
    #expect((0..<3).map { other[$0] } == [1, nil, 3])
    let full = NumberColumn(numbers: [1.5, 2.5], nulls: [])
    #expect(full.count == 2)
    #expect((0..<2).map { full[$0] } == [1.5, 2.5])
  }

  @Test("A column of texts distinguishes the empty text from null")
  func texts() {
    let column = BytesColumn(bytes: Array("añb".utf8), starts: [0, 3, 3, 3, 4], nulls: [false, false, true, false])
    #expect(column.count == 4)
    #expect((0..<4).map { column.string(at: $0) } == ["añ", "", nil, "b"])
    #expect(column[0].map(Array.init) == Array("añ".utf8))
  }
}
