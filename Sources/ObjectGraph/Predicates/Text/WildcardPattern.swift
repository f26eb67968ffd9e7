// Searches bytes in bytes: for UTF-8, matches by bytes are exactly the matches by code points.

extension Collection where Element == UInt8 {
  func begins(with prefix: some Collection<UInt8>) -> Bool { starts(with: prefix) }

  func ends(with suffix: some Collection<UInt8>) -> Bool {
    let (count, suffixCount) = (count, suffix.count)
    return suffixCount <= count && dropFirst(count - suffixCount).elementsEqual(suffix)
  }

  /// O(n · m); everything contains an empty needle.
  func contains(bytes needle: some Collection<UInt8>) -> Bool {
    guard let first = needle.first else { return true }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: needle) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}

extension Sequence where Element == UInt8 {
  /// How many UTF-16 code units this UTF-8 text has: one for each code point, and one more for those of four bytes.
  var utf16Count: Int { reduce(0 as Int) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) } }
}

/// A pattern of `LIKE`.
struct WildcardPattern {
  private enum Element {
    case anyText
    case anyOne
    case one(Unicode.Scalar)
  }

  private let elements: [Element]

  init(_ pattern: String) {
    var elements: [Element] = []
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        elements.append(.one(scalar))
        isEscaped = false
      case "\\": isEscaped = true
      case "*": elements.append(.anyText)
      case "?": elements.append(.anyOne)
      default: elements.append(.one(scalar))
      }
    }
    // A final backslash is literal.
    if isEscaped { elements.append(.one("\\")) }
    self.elements = elements
  }

  /// Whether the whole text matches; O(text · pattern) in the worst case, because only the last `*` is ever retried.
  func matches(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    var position = scalars.startIndex
    var next = 0
    var retry: (next: Int, position: String.Index)?
    while position < scalars.endIndex {
      if next < elements.count, case .anyText = elements[next] {
        next += 1
        retry = (next, position)
      } else if next < elements.count, fits(elements[next], scalars[position]) {
        next += 1
        position = scalars.index(after: position)
      } else if let (element, start) = retry {
        next = element
        position = scalars.index(after: start)
        retry = (element, position)
      } else {
        return false
      }
    }
    return elements[next...].allSatisfy { if case .anyText = $0 { true } else { false } }
  }

  private func fits(_ element: Element, _ scalar: Unicode.Scalar) -> Bool {
    switch element {
    case .anyText: false
    case .anyOne: true
    case .one(let wanted): wanted == scalar
    }
  }
}
