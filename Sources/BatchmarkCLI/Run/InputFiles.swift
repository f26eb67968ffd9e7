// The input files of a command, which none of its outputs may replace or be inside.
internal import Foundation
internal import Harness
internal import BatchmarkEngine
internal import Support

/// Files and folders by identity, so that they are recognized under any path, link or second name.
struct InputFiles: Sendable {
  /// A description of each one that follows "it is".
  private var files: [FileIdentity: String] = [:]
  private var folders: [FileIdentity: String] = [:]

  /// The scenario files with their feeds, stores and models, and the executable that workers are started from.
  init(of scenarios: [PlannedScenario]) {
    add(file: Executable.path, "this executable")
    for planned in scenarios {
      let scenario = planned.scenario
      add(file: scenario.file, "the scenario file \(scenario.file)")
      for variant in [scenario] + scenario.variants.values {
        if let model = variant.modelFile { add(model: model) }
        switch variant.source {
        case .feed(let path, _): add(file: path, "the feed \(path)")
        case .store(let path, _): add(store: path)
        case .generate, .synthetic, .trees: break
        }
      }
    }
  }

  /// Stored results, and the scenario files to judge them by.
  init(results path: String, scenarios: [String]) {
    add(file: path, "the results \(path)")
    for scenario in scenarios { add(file: scenario, "the scenario file \(scenario)") }
  }

  /// A store and its related files.
  init(store path: String) { add(store: path) }

  /// Why an output at the path would harm an input; `nil` if it would not.
  func obstacle(toWriting path: String) -> String? {
    if let identity = FileIdentity(of: path), let input = files[identity] ?? folders[identity] {
      return "it is \(input), which is read"
    }
    return FileIdentity.folders(above: path).compactMap { folders[$0] }.first.map { "it is in \($0), which is read" }
  }

  /// Refuses a folder or file that would replace an input.
  ///
  /// - Throws: ``CommandError`` with status ``CommandStatus/unwritableOutput``.
  func refuse(output path: String) throws(CommandError) {
    guard let obstacle = obstacle(toWriting: path) else { return }
    throw CommandError(
      .unwritableOutput, "\(path) cannot be written: \(obstacle); choose another place with --out")
  }

  // MARK: - Adding

  private mutating func add(file path: String, _ name: String) {
    if let identity = FileIdentity(of: path) { files[identity] = name }
  }

  private mutating func add(model path: String) {
    guard let identity = FileIdentity(of: path) else { return }
    if FileKind(at: path) == .folder {
      folders[identity] = "the model \(path)"
    } else {
      files[identity] = "the model \(path)"
    }
  }

  /// Adds the store and its logs, whether or not they exist: SQLite takes a file with such a name for the store's own.
  private mutating func add(store path: String) {
    let url = URL(fileURLWithPath: path)
    for url in [url, url.resolvingSymlinksInPath()] {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        add(file: url.path + suffix, suffix.isEmpty ? "the store \(path)" : "the \(suffix) file of the store \(path)")
      }
      // The folder in which Core Data stores long values outside of the rows.
      let name = url.deletingPathExtension().lastPathComponent
      let records = url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT").path
      if let identity = FileIdentity(of: records) { folders[identity] = "the folder of external records of \(path)" }
    }
  }
}
