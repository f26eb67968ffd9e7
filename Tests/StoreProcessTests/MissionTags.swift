// The mission's rows that these tests show.
import Testing

extension Tag {
  @Tag static var b13: Self
  @Tag static var c2: Self
  @Tag static var c3: Self
  @Tag static var d2: Self
  @Tag static var d5: Self
}
