// A side on the command line: an executable, or settings for this one.
internal import Analysis
internal import Foundation
internal import Harness
internal import BatchmarkEngine
internal import Scenarios
internal import Support

/// BASE or HEAD as the user wrote it.
struct PairSideArgument {
  /// `this` means this executable without settings.
  static let thisExecutable = "this"

  private(set) var text: String
  /// The absolute path of another executable; `nil` for this one.
  let executable: String?
  let overrides: [ScenarioOverride]
  /// The SQLite that its workers use; `nil` for the system's.
  private(set) var library: SQLiteFile?

  /// A side with its own SQLite library.
  ///
  /// - Throws: ``CommandError`` for an invalid side or SQLite library.
  init(_ text: String, sqlite: String?) throws(CommandError) {
    self = try PairSideArgument(text)
    guard let sqlite else { return }
    let library = try SQLiteFile(sqlite)
    self.library = library
    self.text += " with SQLite \(library.facts.version) (\(library.path))"
  }

  /// - Parameters:
  ///   - text: The argument on the command line.
  ///   - name: The side's name in reports; by default the text, or a note that it is this build.
  /// - Throws: ``CommandError`` if the text is neither an executable nor a list of `key=value` separated by commas.
  init(_ text: String, name: String? = nil) throws(CommandError) {
    self.text = name ?? (text == PairSideArgument.thisExecutable ? "this build" : text)
    if text == PairSideArgument.thisExecutable {
      (executable, overrides) = (nil, [])
      return
    }
    let path = URL(fileURLWithPath: text).standardizedFileURL.path
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
      guard !isFolder.boolValue, FileManager.default.isExecutableFile(atPath: path) else {
        throw CommandError(
          .usage, "\(text) is no executable; name the batchmark of a build, such as .build/release/batchmark")
      }
      (executable, overrides) = (path, [])
      return
    }
    guard text.contains("=") else {
      throw CommandError(
        text.contains("/") ? .unreadableFile : .usage,
        "found '\(text)', where no file is; expected the executable of a build, settings such as save_every=100, or "
          + "'\(PairSideArgument.thisExecutable)' for this build as it is")
    }
    executable = nil
    var found: [ScenarioOverride] = []
    for setting in text.split(separator: ",") {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else {
        throw CommandError(.usage, "\(text): found no '=' in '\(setting)'; expected key=value, as in save_every=100")
      }
      found.append(ScenarioOverride(key: parts[0], value: parts[1], origin: "\(setting)"))
    }
    overrides = found
  }

  /// The build that the side measures.
  var build: BuildIdentity {
    guard let executable else { return Executable.identity(with: library) }
    return BuildIdentity(
      version: "as built", configuration: "as built", executable: Fingerprint.ofFile(executable) ?? "unreadable")
  }
}
