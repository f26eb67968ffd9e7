// What the readers of Core Data's files throw before anybody knows which file they read.

/// Content that is not what it should be: `found` and `expected` are noun phrases.
package struct MalformedContent: Error, Hashable {
  package let found: String
  package let expected: String

  package init(found: String, expected: String) {
    self.found = found
    self.expected = expected
  }
}
