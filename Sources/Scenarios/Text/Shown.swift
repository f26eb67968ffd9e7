// Text from files as messages show it: quoted, on one line, and truncated.

/// Text from a file as messages show it: quoted, on one line, and truncated if it is long.
func shown(_ text: String, quote: String = "'") -> String {
  let limit = 60
  var line = ""
  for scalar in text.unicodeScalars.prefix(limit) {
    if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
      line += scalar.escaped(asASCII: true)
    } else {
      line.unicodeScalars.append(scalar)
    }
  }
  return quote + line + (text.unicodeScalars.count > limit ? "…" : "") + quote
}

/// A phrase of a message, cut if it is too long to read: text from a file may have megabytes.
func phrase(_ text: String) -> String {
  let limit = 4_000
  guard text.utf8.count > limit else { return text }
  return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit))) + "…"
}
