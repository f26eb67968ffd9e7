// Builds revisions of a git repository. Builds are kept by commit, recipe and compiler in the repository's git folder.
internal import Analysis
internal import Foundation
internal import Harness
internal import SystemPackage
internal import Support

/// The builds of a repository's revisions by one recipe.
struct RevisionBuilds {
  let recipe: BuildRecipe
  /// The root folder of the repository's files.
  let root: String
  private let place: BuildPlace
  private let compiler: String

  /// - Parameters:
  ///   - recipe: What to build.
  ///   - folder: A folder of the repository.
  /// - Throws: ``CommandError`` if there is no repository.
  init(_ recipe: BuildRecipe, in folder: String = ".") throws(CommandError) {
    guard
      let root = ToolProcess.lines(of: ["git", "-C", folder, "rev-parse", "--show-toplevel"])?.first,
      let shared = ToolProcess.lines(of: ["git", "-C", root, "rev-parse", "--git-common-dir"])?.first
    else {
      throw CommandError(
        .usage, "found no git repository here; expected one, whose revisions are built: change to its folder")
    }
    self.recipe = recipe
    self.root = root
    place = try BuildPlace(in: shared.hasPrefix("/") ? shared : root + "/" + shared)
    compiler = ToolProcess.lines(of: ["swift", "--version"])?.joined(separator: " ") ?? "no Swift"
  }

  /// The build of a revision: a kept one, or a new one.
  ///
  /// The build tools print to standard error.
  ///
  /// It waits while another process builds revisions of the same repository.
  ///
  /// - Parameter revision: A branch, tag or commit.
  /// - Returns: A build that exists as long as the value.
  /// - Throws: ``CommandError`` if the revision does not exist or does not build.
  func build(of revision: String) throws(CommandError) -> RevisionBuild {
    guard
      let commit = ToolProcess.lines(of: [
        "git", "-C", root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}",
      ])?.first
    else {
      throw CommandError(
        .usage, "found the revision '\(revision)'; expected a branch, tag or commit of the repository \(root)")
    }
    let lock = place.lock()
    defer { withExtendedLifetime(lock) {} }
    place.sweep()
    let folder = try self.folder(of: commit, revision)
    let build = RevisionBuild(of: recipe, in: folder, place)
    place.prune()
    return build
  }

  /// The folder of a commit's build, made if it does not exist.
  private func folder(of commit: String, _ revision: String) throws(CommandError) -> KeptFolder {
    let fingerprint = recipe.fingerprint(compiler: compiler)
    let name = "\(recipe.kind.rawValue)\(commit)-\(fingerprint)-"
    if let folder = kept(name, commit) { return folder }
    switch recipe {
    case .product:
      return try product(
        of: commit, named: name, work: "\(BuildPlace.Kind.work.rawValue)\(fingerprint)-", revision)
    case .command: return try command(of: commit, named: name, revision)
    }
  }

  /// A complete build with an existing executable.
  private func kept(_ name: String, _ commit: String) -> KeptFolder? {
    for folder in place.folders(name) {
      if isExecutable(in: folder) {
        Console.complain("the build of \(HistoryCommit.name(of: commit)) is kept in \(folder.path)")
        return folder
      }
      folder.remove()
    }
    return nil
  }

  /// Builds a product in the folder of earlier commits, so that only changes are built, and keeps the files it needs to
  /// run.
  private func product(
    of commit: String, named name: String, work prefix: String, _ revision: String
  ) throws(CommandError) -> KeptFolder {
    let work: KeptFolder
    if let earlier = place.folders(prefix).first {
      work = earlier
      work.change()
    } else {
      work = try KeptFolder(new: prefix, in: place.path)
    }
    do throws(CommandError) {
      try take(commit, into: work)
    } catch {
      work.remove()
      throw error
    }
    let outcome = Result { () throws(CommandError) in try runCommands(in: work) }
    // The compiler knows which parts it finished, even if others failed.
    try work.complete(description(of: "the last commit built was \(commit)"))
    try outcome.get()
    let made = try KeptFolder(new: name, in: place.path)
    try filling(made, commit, revision) { () throws(CommandError) in try copyProducts(of: work, to: made) }
    return made
  }

  /// Runs a command in the files of a commit, and keeps all of them, because the executable may need any of them.
  private func command(of commit: String, named name: String, _ revision: String) throws(CommandError) -> KeptFolder {
    let made = try KeptFolder(new: name, in: place.path)
    try filling(made, commit, revision) { () throws(CommandError) in
      try take(commit, into: made)
      try runCommands(in: made)
    }
    return made
  }

  /// Fills a folder and marks it as complete, or removes it.
  private func filling(
    _ folder: KeptFolder, _ commit: String, _ revision: String, _ fill: () throws(CommandError) -> Void
  ) throws(CommandError) {
    do throws(CommandError) {
      try fill()
      guard isExecutable(in: folder) else {
        throw CommandError(
          .invalidFile,
          "the build of '\(revision)' made no executable \(recipe.result.executable); expected one there, as "
            + "--product or --executable names it")
      }
      try folder.complete(description(of: commit))
    } catch {
      folder.remove()
      throw error
    }
  }

  private func description(of commit: String) -> String {
    "\(commit), \(recipe.words.map(ShellWord.quoted).joined(separator: " ")), \(compiler)"
  }

  private func isExecutable(in folder: KeptFolder) -> Bool {
    FileManager.default.isExecutableFile(atPath: RevisionBuild.executable(of: recipe, in: folder))
  }
}

/// A build that can be measured.
///
/// It may be removed when the value is released, so keep the value while the executable may be started.
struct RevisionBuild {
  /// The absolute path of the executable.
  let executable: String
  /// Protects the build from removal by other processes.
  private let lock: FileLock?
  /// Keeps a temporary folder alive.
  private let place: BuildPlace

  init(of recipe: BuildRecipe, in folder: KeptFolder, _ place: BuildPlace) {
    executable = RevisionBuild.executable(of: recipe, in: folder)
    folder.use()
    lock = FileLock.take(folder.path, .shared)
    self.place = place
  }

  /// The path of the executable in a folder of builds: next to the libraries of a product, or where a command made it.
  static func executable(of recipe: BuildRecipe, in folder: KeptFolder) -> String {
    folder.files + "/" + recipe.result.executable
  }
}
