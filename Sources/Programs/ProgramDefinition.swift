// A program and its answer to `hello`: everything that a worker needs to make the same engine.
internal import Foundation
package import Scenarios
internal import Support
internal import SystemPackage

/// A program that was found, with its description of itself.
package struct ProgramDefinition: Codable, Sendable, Hashable {
  package var name: String
  /// The program's absolute path.
  package var path: String
  /// Its name and arguments.
  package var words: [String]
  /// Its whole environment.
  package var environment: [String: String]
  /// The fingerprints, by path, of the program and of all files that its arguments name; `nil` in jobs and journals of
  /// earlier versions.
  package var files: [String: String]?
  package var hello: ProgramHello

  /// Finds a program, and starts it once to get its answer to `hello`.
  ///
  /// - Parameters:
  ///   - declaration: The declaration in the file of engines.
  ///   - folder: The file's folder, which relative paths refer to.
  ///   - sqlite: A SQLite library that replaces the system's; `nil` for the system's.
  ///   - own: The environment of this process.
  ///   - limits: The time limits.
  /// - Throws: ``ProgramError``.
  package init(
    _ declaration: ProgramDeclaration, in folder: String, sqlite: String? = nil,
    own: [String: String] = ProcessInfo.processInfo.environment, limits: ProgramLimits = ProgramLimits()
  ) throws(ProgramError) {
    name = declaration.name
    words = declaration.command.map { ProgramDefinition.resolved($0, in: folder) }
    environment = ProgramDefinition.environment(of: declaration, own: own)
    hello = ProgramHello(hello: ProgramProtocol.version, engine: "", version: "", runtime: "", strategies: [])
    path = ""
    preload(sqlite)
    do throws(ProgramError) {
      path = try ProgramDefinition.find(words.first ?? "", declaration, path: environment["PATH"] ?? "")
      files = ProgramDefinition.fingerprints(of: [path] + words.dropFirst())
      let conversation = try ProgramConversation(self, limits: limits)
      hello = try conversation.ask(.hello, for: ProgramHello.self)
      conversation.end()
    } catch {
      // A script that exits immediately often lacks a library.
      var error = error
      if error.isOfInstallation { error.install = declaration.install }
      throw error
    }
    try check()
  }

  /// This program with another SQLite instead of the system's.
  ///
  /// - Throws: ``ProgramError``.
  package func preloading(_ sqlite: String?) throws(ProgramError) -> ProgramDefinition {
    var other = self
    other.preload(sqlite)
    let conversation = try ProgramConversation(other)
    other.hello = try conversation.ask(.hello, for: ProgramHello.self)
    conversation.end()
    return other
  }

  /// Whether another definition starts the same command with the same variables, apart from inherited ones.
  package func startsAlike(_ other: ProgramDefinition) -> Bool {
    path == other.path && words == other.words && ownVariables == other.ownVariables
  }

  /// The first file of the command that has changed compared with another definition; `nil` if none has, or if one of
  /// the two has no fingerprints.
  package func changedFile(since other: ProgramDefinition) -> String? {
    guard let files, let before = other.files else { return nil }
    return before.sorted { $0.key < $1.key }.first { files[$0.key] != $0.value }?.key
  }

  private static func fingerprints(of paths: [String]) -> [String: String] {
    var found: [String: String] = [:]
    for path in paths where path.contains("/") { found[path] = Fingerprint.ofFile(path) }
    return found
  }

  private var ownVariables: [String: String] {
    environment.filter { !ProgramDefinition.handedOn.contains($0.key) }
  }

  private mutating func preload(_ sqlite: String?) {
    guard let sqlite else { return }
    let name = PreloadList.variable
    environment[name] = PreloadList.text([sqlite, environment[name]].compactMap(\.self))
  }

  /// Variables that are inherited: the locations of commands and their libraries.
  private static let handedOn = ["PATH", "HOME", "LD_LIBRARY_PATH", "PYENV_ROOT", "JAVA_HOME", "GEM_HOME", "GEM_PATH"]

  private static func environment(of declaration: ProgramDeclaration, own: [String: String]) -> [String: String] {
    var variables = own.filter { handedOn.contains($0.key) }
    variables["LC_ALL"] = "C.UTF-8"
    variables["TZ"] = "UTC"
    if variables["PATH"] == nil { variables["PATH"] = "/usr/local/bin:/usr/bin:/bin" }
    return variables.merging(declaration.environment) { $1 }
  }

  /// The absolute path of a word that names a file relative to the file of engines; any other word unchanged.
  private static func resolved(_ word: String, in folder: String) -> String {
    guard !word.isEmpty, !word.hasPrefix("/"), !word.hasPrefix("-") else { return word }
    // Do not resolve links: the python of a virtual environment is a link, and finds its libraries by its own path.
    let path = FilePath(URL(fileURLWithPath: folder).path).appending(word).lexicallyNormalized().string
    return word.contains("/") || isFile(path) ? path : word
  }

  private static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
  }

  private static func find(
    _ word: String, _ declaration: ProgramDeclaration, path: String
  ) throws(ProgramError) -> String {
    let files = FileManager.default
    let missing = ProgramError(
      engine: declaration.name, .missing(command: declaration.command.first ?? ""))
    if word.contains("/") {
      guard isFile(word) else { throw missing }
      guard files.isExecutableFile(atPath: word) else {
        throw ProgramError(engine: declaration.name, .notExecutable(path: word))
      }
      return word
    }
    for folder in path.split(separator: ":") {
      let path = "\(folder)/\(word)"
      if isFile(path), files.isExecutableFile(atPath: path) { return path }
    }
    throw missing
  }

  /// Checks the program's answer to `hello`.
  private func check() throws(ProgramError) {
    guard hello.hello == ProgramProtocol.version else {
      throw ProgramError(engine: name, .otherProtocol(found: hello.hello))
    }
    guard !hello.strategies.isEmpty else { throw ProgramError(engine: name, .noStrategy) }
    _ = try ProgramEngine(self)
  }
}
