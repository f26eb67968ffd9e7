// The mission rows that these tests show.
import Testing

extension Tag {
  @Tag static var a5: Self
}
