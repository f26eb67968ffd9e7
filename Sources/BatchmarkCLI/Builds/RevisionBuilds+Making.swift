// The steps of a build: the files of a commit, the commands, and the files that an executable needs next to it.
internal import Analysis
internal import Foundation
internal import Harness
internal import Support

extension RevisionBuilds {
  /// Puts the files of a commit into a folder.
  ///
  /// If the folder has the files of another commit, it writes only those that differ.
  ///
  /// The folder has its own index, so the repository stays unchanged. A worktree would be registered there, and would
  /// remain if this process were killed. Settings that make an index refer to other files or processes are turned off.
  func take(_ commit: String, into folder: KeptFolder) throws(CommandError) {
    try run([
      "GIT_INDEX_FILE=\(folder.path)/index", "git", "-C", root, "-c", "core.splitIndex=false", "-c",
      "core.fsmonitor=false", "--work-tree=\(folder.files)", "read-tree", "--reset", "-u", commit,
    ])
  }

  /// Runs the build commands in a folder with the files.
  func runCommands(in folder: KeptFolder) throws(CommandError) {
    for name in recipe.madeAnew { unlink(folder.files + recipe.result.folder + "/" + name) }
    let temporary: PrivateFolder
    do { temporary = try PrivateFolder() } catch { throw CommandError(error) }
    defer { withExtendedLifetime(temporary) {} }
    for step in recipe.steps(in: folder, temporary: temporary.path) {
      switch (try status(of: step.words), step.optionalProduct) {
      case (.exited(0), _): break
      case (.exited, let product?):
        Console.complain("this build has no \(product), so that it cannot meter engines that are programs")
      case (let status, _): throw failure(of: step.words, status)
      }
    }
  }

  /// Copies the executable, with the libraries and resources that it expects next to it.
  func copyProducts(of work: KeptFolder, to folder: KeptFolder) throws(CommandError) {
    let release = work.files + recipe.result.folder
    let names = (try? FileManager.default.contentsOfDirectory(atPath: release)) ?? []
    let endings = [".so", ".dylib", ".resources", ".bundle"]
    for name in names where name == recipe.result.executable || endings.contains(where: name.hasSuffix) {
      do {
        try FileManager.default.copyItem(atPath: release + "/" + name, toPath: folder.files + "/" + name)
      } catch {
        throw CommandError(
          .unwritableOutput, "\(folder.files)/\(name) cannot be written: \(OutputError.reason(error))")
      }
    }
  }

  private func run(_ arguments: [String]) throws(CommandError) {
    let status = try status(of: arguments)
    if status != .exited(0) { throw failure(of: arguments, status) }
  }

  private func status(of arguments: [String]) throws(CommandError) -> ChildProcess.ExitStatus {
    do throws(SystemError) {
      return try ToolProcess.run(arguments)
    } catch {
      throw CommandError(.internalError, "\(line(arguments)) could not be started: \(error)")
    }
  }

  private func failure(of arguments: [String], _ status: ChildProcess.ExitStatus) -> CommandError {
    switch status {
    case .exited(let number):
      CommandError(
        .invalidFile, "\(line(arguments)) failed with status \(number); its messages above say why")
    case .signalled(let number): CommandError(.invalidFile, "\(line(arguments)) was killed by signal \(number)")
    }
  }

  private func line(_ arguments: [String]) -> String {
    arguments.map(ShellWord.quoted).joined(separator: " ")
  }
}
