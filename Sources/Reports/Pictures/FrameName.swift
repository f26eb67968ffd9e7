// Shortens a demangled function name.

enum FrameName {
  /// Longer names are truncated: a file may have one with endless nested brackets.
  private static let longest = 4_000

  /// `Harness.SampleTaker.take` for `Harness.SampleTaker.take(Harness.SampleJob) throws -> Harness.Sample`.
  ///
  /// Arguments, results, specializations and the marks of private names are removed.
  static func short(_ name: some StringProtocol) -> String {
    var rest = String(name.prefix(longest))[...]
    while let of = specialization(rest) { rest = rest[of...] }
    for prefix in ["protocol witness for ", "merged ", "partial apply forwarder for ", "static "] {
      if rest.hasPrefix(prefix) { rest = rest.dropFirst(prefix.count) }
    }
    if rest.hasPrefix("reabstraction thunk") { return "reabstraction thunk" }
    // `(extension in Module):Type.function`
    if rest.hasPrefix("(extension in "), let colon = rest.firstIndex(of: ":") {
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("closure #"), let place = rest.firstRange(of: " in ") {
      return "closure in \(short(rest[place.upperBound...]))"
    }
    var text = ""
    while let character = rest.first {
      if character == "(" {
        let inside = group(rest)
        // A private name: `(run in _293AF174)`.
        guard let private_ = inside.firstRange(of: " in _") else { break }
        text += inside[..<private_.lowerBound].dropFirst()
        rest = rest[inside.endIndex...]
      } else if character == "<" {
        rest = rest[group(rest).endIndex...]
      } else if character == " " && !text.isEmpty {
        break
      } else {
        text.append(character)
        rest = rest.dropFirst()
      }
    }
    return text.isEmpty ? String(name) : text
  }

  /// The frames of a folded stack, from the outermost one on.
  ///
  /// Functions of the executable without a name are skipped, so their weight counts for the caller, unless no frame has
  /// a name.
  static func path(ofStack stack: String) -> [String] {
    let named = stack.split(separator: ";").filter { $0 != unnamed }.map { short($0) }
    return named.isEmpty ? [unnamed] : named
  }

  private static let unnamed = "[exe]"

  /// The owner of the code: the module of a Swift function, SQLite, or the C library and others.
  static func module(_ name: String) -> String {
    let plain = name.hasPrefix("closure in ") ? name.dropFirst("closure in ".count) : name[...]
    if plain.hasPrefix("sqlite3") || plain.hasPrefix("[libsqlite3") { return "SQLite" }
    if plain.hasPrefix("[") { return String(plain.dropFirst().prefix { $0 != "]" && $0 != "." }) }
    guard let dot = plain.firstIndex(of: "."), plain.first?.isUppercase == true else { return "C" }
    return String(plain[..<dot])
  }

  /// The beginning of the name after `… specialization <…> of `.
  private static func specialization(_ text: Substring) -> Substring.Index? {
    guard let mark = text.firstRange(of: "specialization <"),
      text[..<mark.lowerBound].allSatisfy({ $0.isLowercase || $0 == " " })
    else { return nil }
    let arguments = group(text[text.index(before: mark.upperBound)...])
    let rest = text[arguments.endIndex...]
    return rest.hasPrefix(" of ") ? rest.index(rest.startIndex, offsetBy: 4) : nil
  }

  /// The text from an opening mark to its closing one, inclusive; everything if it is not closed.
  private static func group(_ text: Substring) -> Substring {
    var depth = 0
    var previous: Character = " "
    for index in text.indices {
      let character = text[index]
      // The demangler never closes this one.
      let isOpening = "(<[".contains(character) && !text[index...].hasPrefix("[Closure Propagated")
      if isOpening { depth += 1 }
      // The end of an arrow closes nothing.
      if ")]".contains(character) || (character == ">" && previous != "-") { depth -= 1 }
      previous = character
      if depth == 0 { return text[...index] }
    }
    return text
  }
}
