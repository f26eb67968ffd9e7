// How to build a measurable executable from a revision of a repository.
internal import Analysis
internal import Harness
internal import BatchmarkEngine
internal import Support

/// What to build from a revision's files.
enum BuildRecipe: Sendable, Hashable {
  /// An executable product of a Swift package, in release mode, with the meters next to it.
  case product(String)
  /// A shell command to run in the folder of the files, and the executable that it makes there.
  case command(String, executable: String)

  /// One command of a build.
  struct Step {
    let words: [String]
    /// The product that is left out if the command fails; `nil` if the build then fails.
    let optionalProduct: String?
  }

  /// The meter that is preloaded into workers.
  private static let workerMeter = "CAllocationMeter"
  /// The meters that are preloaded into programs of `--engines`.
  ///
  /// Older commits do not have these products.
  private static let programMeters = ["CStoreMeter", "CProgramAllocationMeter"]

  /// This repository's own executable.
  static let batchmark = BuildRecipe.product("batchmark")

  /// - Parameters:
  ///   - product: The value of `--product`.
  ///   - command: The value of `--build`.
  ///   - executable: The value of `--executable`.
  /// - Throws: ``CommandError`` if options exclude each other.
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

  /// The kind of its builds in the folder of builds.
  var kind: BuildPlace.Kind {
    switch self {
    case .product: .product
    case .command: .command
    }
  }

  /// The folder with the build results, relative to the files, and the executable in it.
  var result: (folder: String, executable: String) {
    switch self {
    case .product(let name): ("/.build/release", name)
    case .command(_, let executable): ("", executable)
    }
  }

  /// The commands to run one after the other, each with `env`.
  ///
  /// The files may be inside a git folder with another commit checked out. No build may use that repository.
  ///
  /// - Parameters:
  ///   - folder: The folder of the files.
  ///   - temporary: The folder for temporary files, because compilers leave some behind.
  /// - Returns: The commands.
  func steps(in folder: KeptFolder, temporary: String) -> [Step] {
    let alone = ["GIT_CEILING_DIRECTORIES=\(folder.path)", "TMPDIR=\(temporary)"]
    switch self {
    case .product(let name):
      return ([name, BuildRecipe.workerMeter] + BuildRecipe.programMeters).map { product in
        Step(
          words: alone + ["swift", "build", "--package-path", folder.files, "-c", "release", "--product", product],
          optionalProduct: BuildRecipe.programMeters.contains(product) ? product : nil)
      }
    case .command(let command, _):
      return [Step(words: ["--chdir=\(folder.files)"] + alone + ["sh", "-c", command], optionalProduct: nil)]
    }
  }

  /// Outputs that each commit must make again, so that those of an earlier commit in the same folder are not used.
  var madeAnew: [String] {
    switch self {
    case .product(let name): [name] + BuildRecipe.programMeters.map { "lib\($0).so" }
    case .command: []
    }
  }

  /// A hash that distinguishes its builds from those of other recipes and compilers.
  ///
  /// - Parameter compiler: The compiler's version text.
  /// - Returns: Sixteen digits.
  func fingerprint(compiler: String) -> String {
    var hash = FNV1a()
    for word in words + [compiler] + products { hash.combine("\(word.utf8.count) \(word)") }
    return hash.hexadecimal
  }

  /// The products of a package that are built in addition to the executable.
  private var products: [String] {
    switch self {
    case .product: [BuildRecipe.workerMeter] + BuildRecipe.programMeters
    case .command: []
    }
  }

  /// The options on the command line.
  var words: [String] {
    switch self {
    case .product(let name): ["--product", name]
    case .command(let command, let executable): ["--build", command, "--executable", executable]
    }
  }
}
