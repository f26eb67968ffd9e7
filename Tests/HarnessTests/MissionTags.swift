// The mission rows that these tests show.
import Testing

extension Tag {
  @Tag static var a12: Self
  @Tag static var a2: Self
  @Tag static var a6: Self
  @Tag static var a7: Self
  @Tag static var a10: Self
  @Tag static var a9: Self
}
