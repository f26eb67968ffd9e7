// Finds characters that control a terminal or the direction of text. Output escapes them.

extension Unicode.Scalar {
  /// Whether the character moves a terminal's cursor, ends a line, or changes the direction of the text around it.
  ///
  /// Characters that change the direction make a name look like another one (https://trojansource.codes).
  package var isControl: Bool {
    switch value {
    // All of the categories Cc, Zl and Zp: Unicode promises not to add any.
    case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
    case 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
