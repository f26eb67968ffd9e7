// One build of a commit, which stays where it is for as long as somebody uses it.
internal import Support

/// A build that can be measured.
///
/// It may be removed once the value is gone; who starts the executable must keep the value until then.
struct RevisionBuild {
  /// The absolute path of the executable.
  let executable: String
  /// Keeps the build from being removed by other processes.
  private let lock: FileLock?
  /// Keeps a temporary place.
  private let place: BuildPlace

  init(of recipe: BuildRecipe, in folder: KeptFolder, _ place: BuildPlace) {
    executable = RevisionBuild.executable(of: recipe, in: folder)
    folder.use()
    lock = FileLock.take(folder.path, .shared)
    self.place = place
  }

  /// Where the executable is in a folder of builds: beside the libraries that a product needs, or where a command made it.
  static func executable(of recipe: BuildRecipe, in folder: KeptFolder) -> String {
    folder.files + "/" + recipe.result.executable
  }
}
