// The capabilities these tests show, as tags to select by.
import Testing

extension Tag {
  /// The write-ahead log's growth.
  @Tag static var a4: Self
  /// The stack that stores stand on.
  @Tag static var d2: Self
  /// Store options.
  @Tag static var d9: Self
}
