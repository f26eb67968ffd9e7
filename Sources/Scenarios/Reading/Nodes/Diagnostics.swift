// What is wrong with one file, collected while it is read.

/// The mistakes of one file, each noted once, so that its author sees them all together.
///
/// Everything that reads a part of the file shares one collection.
final class Diagnostics {
  /// The file as the user named it.
  let file: String
  /// In the order they were found.
  private(set) var errors: [ScenarioError] = []
  private var known: Set<ScenarioError> = []
  /// How long the file's values were tried with patterns.
  var patternTime = Duration.zero

  init(file: String) {
    self.file = file
  }

  /// How many mistakes were found so far.
  var count: Int { errors.count }

  /// Notes a mistake; one that is known already is not noted again.
  func note(_ error: ScenarioError) {
    if known.insert(error).inserted { errors.append(error) }
  }
}
