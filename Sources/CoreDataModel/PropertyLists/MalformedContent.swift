// What the readers of Core Data's files throw before anybody knows which file they read.

/// Content that is not what it should be: `found` and `expected` are noun phrases.
struct MalformedContent: Error, Hashable {
  let found: String
  let expected: String

  init(found: String, expected: String) {
    self.found = found
    self.expected = expected
  }

  /// The error of the file that holds the content.
  func inFile(_ path: String) -> CoreDataFileError { .invalid(path: path, found: found, expected: expected) }
}
