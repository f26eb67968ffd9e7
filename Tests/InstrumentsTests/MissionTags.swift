// The mission rows that these tests show.
import Testing

extension Tag {
  @Tag static var a2: Self
  @Tag static var a3: Self
  @Tag static var a4: Self
  @Tag static var a9: Self
}
