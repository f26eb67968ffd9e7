// The mission's rows that these tests show.
import Testing

extension Tag {
  @Tag static var a1: Self
  @Tag static var a2: Self
  @Tag static var a7: Self
  @Tag static var a10: Self
  @Tag static var b3: Self
  @Tag static var b8: Self
  @Tag static var b11: Self
  @Tag static var c1: Self
  @Tag static var d8: Self
  @Tag static var d13: Self
  @Tag static var a9: Self
}
