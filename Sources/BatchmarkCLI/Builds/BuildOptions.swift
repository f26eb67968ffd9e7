// `--product`, `--build` and `--executable`, the options of every command that builds commits.
internal import Analysis
internal import ArgumentParser
internal import Harness

/// What to build of each revision.
struct BuildOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The executable product to build of the Swift package here; batchmark by default.", valueName: "name"))
  var product: String?

  @Option(
    help: ArgumentHelp(
      "A shell command that builds a revision, run in its files; with --executable.", valueName: "command"))
  var build: String?

  @Option(help: ArgumentHelp("The executable that --build makes, relative to the files.", valueName: "path"))
  var executable: String?

  var isEmpty: Bool { product == nil && build == nil && executable == nil }

  /// - Throws: ``CommandError`` if options exclude each other.
  func recipe() throws(CommandError) -> BuildRecipe {
    try BuildRecipe(product: product, command: build, executable: executable)
  }
}
