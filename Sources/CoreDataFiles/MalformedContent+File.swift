// Malformed content, once it is known which file it is of.
internal import CoreDataModel

extension MalformedContent {
  /// The error of the file that holds the content.
  func inFile(_ path: String) -> CoreDataFileError { .invalid(path: path, found: found, expected: expected) }
}
