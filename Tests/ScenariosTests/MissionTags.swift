// The capabilities these tests show, by their names in the project's list.
import Testing

extension Tag {
  /// A1: scenario definitions drive the save pipeline and the batch-insert styles.
  @Tag static var a1: Self
  @Tag static var a2: Self
  /// A7: figures are judged.
  @Tag static var a7: Self
  /// A8: real feeds and a seeded generator as inputs.
  @Tag static var a8: Self
  /// B8: batch inserts set no relationships.
  @Tag static var b8: Self
  /// B11: uniqueness and merge policy decide what an insert does.
  @Tag static var b11: Self
  /// D1: attributes of every type, defaults, optionality, uniqueness.
  @Tag static var d1: Self
  /// D9: store options, pragmas among them.
  @Tag static var d9: Self
  /// D10: stores that Core Data wrote are read, and used as data.
  @Tag static var d10: Self
  @Tag static var d8: Self
  /// C1: changes are merged into contexts.
  @Tag static var c1: Self
  /// C2: persistent history.
  @Tag static var c2: Self
}
