// The mistakes of one file, collected while it is read.

/// The mistakes of one file, each noted once, so that its author sees all of them together.
///
/// Everything that reads a part of the file shares one collection.
final class Diagnostics {
  /// The file as the user named it.
  let file: String
  /// The errors in the order in which they were found.
  private(set) var errors: [ScenarioError] = []
  private var known: Set<ScenarioError> = []
  /// The time spent on matching the file's values against patterns.
  var patternTime = Duration.zero

  init(file: String) {
    self.file = file
  }

  /// The number of mistakes found so far.
  var count: Int { errors.count }

  /// Adds a mistake, unless it has been added already.
  func note(_ error: ScenarioError) {
    if known.insert(error).inserted { errors.append(error) }
  }
}
