// The mission's rows that these tests show.
import Testing

extension Tag {
  @Tag static var b1: Self
  @Tag static var b2: Self
  @Tag static var b3: Self
  @Tag static var b4: Self
  @Tag static var b5: Self
  @Tag static var b6: Self
  @Tag static var b7: Self
  @Tag static var b8: Self
  @Tag static var b9: Self
  @Tag static var b10: Self
  @Tag static var b11: Self
  @Tag static var b12: Self
  @Tag static var b13: Self
  @Tag static var d1: Self
  @Tag static var d2: Self
  @Tag static var c1: Self
  @Tag static var c2: Self
  @Tag static var c3: Self
  @Tag static var d4: Self
  @Tag static var d5: Self
  @Tag static var d6: Self
  @Tag static var d3: Self
  @Tag static var d7: Self
  @Tag static var d9: Self
  @Tag static var d10: Self
  @Tag static var d13: Self
  @Tag static var a8: Self
  @Tag static var a9: Self
}
