// How a revision of a repository becomes an executable that can be measured.
internal import Analysis
internal import Harness
internal import BatchmarkEngine
internal import Support

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
  /// - Throws: ``CommandError`` for options that exclude each other.
  init(product: String?, command: String?, executable: String?) throws(CommandError) {
    switch (product, command, executable) {
    case (let product?, nil, nil): self = .product(product)
    case (nil, nil, nil): self = .batchmark
    case (nil, let command?, let executable?): self = .command(command, executable: executable)
    case (.some, _, _):
      throw CommandError(.usage, "found --product with --build or --executable; expected the one or the other two")
    case (nil, _, _):
      throw CommandError(
        .usage, "found --build or --executable alone; expected both: the command, and the executable that it makes")
    }
  }

  /// What its builds are in the folder of builds.
  var kind: BuildPlace.Kind {
    switch self {
    case .product: .product
    case .command: .command
    }
  }

  /// The folder of the files that has what was built, and the executable in it.
  var result: (folder: String, executable: String) {
    switch self {
    case .product(let name): ("/.build/release", name)
    case .command(_, let executable): ("", executable)
    }
  }

  /// What is run, one command after the other, each by `env`.
  ///
  /// The files may lie in a git folder, whose repository is at another commit: no build shall take it for its own.
  ///
  /// - Parameters:
  ///   - folder: Has the files.
  ///   - temporary: The folder for temporary files; compilers leave some behind.
  /// - Returns: The words of each command.
  func commands(in folder: KeptFolder, temporary: String) -> [[String]] {
    let alone = ["GIT_CEILING_DIRECTORIES=\(folder.path)", "TMPDIR=\(temporary)"]
    return switch self {
    case .product(let name):
      [name, "CAllocationMeter"].map {
        alone + ["swift", "build", "--package-path", folder.files, "-c", "release", "--product", $0]
      }
    case .command(let command, _): [["--chdir=\(folder.files)"] + alone + ["sh", "-c", command]]
    }
  }

  /// What distinguishes its builds from those of other recipes and compilers.
  ///
  /// - Parameter compiler: What the compiler calls itself.
  /// - Returns: Sixteen digits.
  func fingerprint(compiler: String) -> String {
    var hash = FNV1a()
    for word in words + [compiler] { hash.combine("\(word.utf8.count) \(word)") }
    return hash.hexadecimal
  }

  /// As on the command line.
  var words: [String] {
    switch self {
    case .product(let name): ["--product", name]
    case .command(let command, let executable): ["--build", command, "--executable", executable]
    }
  }
}
