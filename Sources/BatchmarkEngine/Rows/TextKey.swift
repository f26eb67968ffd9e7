// A text as a key of a dictionary, where it is what a store holds.

/// A text that equals another where both have the same bytes, as in SQLite.
///
/// Swift's own `==` holds for every two texts that people read alike, such as an `é` of one code point and one of two.
package struct TextKey: Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: TextKey, other: TextKey) -> Bool {
    // Swift keeps texts on Linux as the bytes of their UTF-8, in one piece.
    let isSame = one.text.utf8.withContiguousStorageIfAvailable { mine in
      other.text.utf8.withContiguousStorageIfAvailable { mine.count == $0.count && mine.elementsEqual($0) }
    }
    return (isSame ?? nil) ?? one.text.utf8.elementsEqual(other.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    // Equal bytes are equal texts.
    text.hash(into: &hasher)
  }
}
