// How a revision of a repository becomes an executable that `pair` can measure.
internal import Analysis
internal import Harness

/// What to build of a revision's files.
enum BuildRecipe: Sendable, Hashable {
  /// Executable products of a Swift package, in release, with the allocation meter beside them.
  case product(String)
  /// A shell command, run in the folder of the files, and the executable it makes there.
  case command(String, executable: String)

  /// This repository's own executable.
  static let batchmark = BuildRecipe.product("batchmark")

  /// - Parameters:
  ///   - product: The value of `--product`.
  ///   - command: The value of `--build`.
  ///   - executable: The value of `--executable`.
  /// - Throws: ``CommandError`` for options that do not go together.
  init(product: String?, command: String?, executable: String?) throws(CommandError) {
    switch (product, command, executable) {
    case (let product, nil, nil): self = .product(product ?? "batchmark")
    case (nil, let command?, let executable?): self = .command(command, executable: executable)
    case (.some, _, _):
      throw CommandError(.usage, "found --product with --build or --executable; expected the one or the other two")
    case (nil, _, _):
      throw CommandError(
        .usage, "found --build or --executable alone; expected both: the command, and the executable that it makes")
    }
  }

  /// The executable's path in the folder of the files.
  var executable: String {
    switch self {
    case .product(let name): ".build/release/\(name)"
    case .command(_, let executable): executable
    }
  }

  /// What is run, one command after the other.
  func commands(in folder: String) -> [[String]] {
    switch self {
    case .product(let name):
      [name, "CAllocationMeter"].map {
        ["swift", "build", "--package-path", folder, "-c", "release", "--product", $0]
      }
    case .command(let command, _): [["--chdir=\(folder)", "sh", "-c", command]]
    }
  }
}
