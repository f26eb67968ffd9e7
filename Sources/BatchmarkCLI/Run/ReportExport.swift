// `--export-json`, `--export-csv`, `--export-markdown` and `--export`: writes a file of a run to a path of the user's
// choice.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports
internal import Support
internal import SystemPackage

/// A file of a run's report that is also written elsewhere, or a run in another tool's format.
struct ReportExport: Sendable {
  /// The path that means standard output.
  static let standardOutput = "-"

  let file: ExportedFile
  /// The option before the file.
  private let option: String
  /// An absolute path, because a resumed run works in the original folder; `nil` for standard output.
  let path: String?
  /// The folder to make if it is missing; `nil` for none.
  private let ownFolder: String?

  init(_ file: ExportedFile, option: String, path: String) {
    self.file = file
    self.option = option.hasSuffix("=") ? option : option + " "
    self.path = path == ReportExport.standardOutput ? nil : ReportExport.absolute(path)
    ownFolder = nil
  }

  /// The results of a run as a baseline.
  init(baseline name: String, in folder: BaselineFolder) {
    file = .report(.results)
    option = "--save-baseline "
    path = ReportExport.absolute(folder.file(of: name))
    ownFolder = ReportExport.absolute(folder.path)
  }

  /// Whether to write only complete runs without failures, because other runs are compared with them.
  var isBaseline: Bool { ownFolder != nil }

  /// The identity of the existing or future file; `nil` for standard output.
  var identity: FileIdentity? { path.flatMap(FileIdentity.init(of:)) }

  /// Refuses a path that cannot be written, before anything is measured.
  ///
  /// - Parameter mayReplace: Whether an existing file may be overwritten.
  /// - Throws: ``CommandError`` with status ``CommandStatus/unwritableOutput``.
  func check(mayReplace: Bool) throws(CommandError) {
    guard let path else { return }
    // The complete file replaces the existing one, so that one must not be a device, and its folder must be writable.
    switch FileKind(at: path) {
    case nil, .plainFile: break
    case .folder: throw refusal("it is a folder")
    case .some(let kind): throw refusal("it is \(kind.rawValue) and no plain file", "name another file, or -")
    }
    let folder = FilePath(path).removingLastComponent().string
    // It is made only when there is something to write, so that a mistake does not leave it behind.
    if let ownFolder, FileKind(atPathItself: ownFolder) == nil {
      if let reason = HiddenFile.obstacle(toMakingFolder: ownFolder) { throw refusal(reason) }
      return
    }
    guard let kind = FileKind(at: folder) else { throw refusal("found no folder \(folder)") }
    guard kind == .folder else { throw refusal("\(folder) is no folder") }
    if !mayReplace { try refuseReplacing() }
    let bytes = FilePath(path).lastComponent?.string.utf8.count ?? 0
    guard bytes <= Int(NAME_MAX) else { throw refusal("its name has \(bytes) bytes; expected at most \(NAME_MAX)") }
    // Only an attempt shows whether a file can be made: permissions say nothing about /proc or a full disk.
    if let reason = HiddenFile.obstacle(toMaking: path) {
      throw refusal("no file can be made in the folder \(folder) (\(reason))")
    }
  }

  /// Refuses to overwrite a file or a dangling link.
  ///
  /// - Parameter resumingCommand: The command that writes it again, for a run that has been measured.
  /// - Throws: ``CommandError`` with status ``CommandStatus/unwritableOutput``.
  func refuseReplacing(resumingCommand: String? = nil) throws(CommandError) {
    guard let path, FileKind(atPathItself: path) != nil else { return }
    throw refusal("it exists already", "name another file, or write over it with --force", resumingCommand)
  }

  /// Writes the file, replacing an older one, or to standard output.
  ///
  /// - Parameters:
  ///   - results: The results of the run.
  ///   - directory: The run's folder.
  ///   - resumingCommand: The command that writes the file again; `nil` for stored results.
  /// - Throws: ``CommandError`` with status ``CommandStatus/unwritableOutput``.
  func write(_ results: Report, of directory: String, resumingCommand: String?) throws {
    guard let path else { return try Console.output(encoded: try text(results, of: directory)) }
    if let ownFolder { try Folder.make(ownFolder) }
    do throws(ReportError) {
      try ExportedFile.write(try text(results, of: directory), to: path)
    } catch {
      guard case .unwritable(_, _, let message) = error.problem else { throw error }
      throw refusal(message, "fix this, or name another file", resumingCommand)
    }
  }

  /// The text for a run in a folder.
  func text(_ results: Report, of directory: String) throws(ReportError) -> String {
    try file.text(results, picturesIn: pictureFolder(of: directory))
  }

  /// The path from the file to the run's folder with the pictures; `nil` for standard output.
  private func pictureFolder(of directory: String) -> String? {
    guard let path, let own = ReportExport.steps(to: FilePath(path).removingLastComponent().string),
      let other = ReportExport.steps(to: directory)
    else { return nil }
    let shared = zip(own, other).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: own.count - shared) + other.dropFirst(shared)).joined(separator: "/")
  }

  /// The path of a folder without links; `nil` if it does not exist.
  private static func steps(to folder: String) -> [String]? {
    guard let resolved = realpath(folder, nil) else { return nil }
    defer { free(resolved) }
    return FilePath(String(cString: resolved)).components.map(\.string)
  }

  func refusal(
    _ reason: String, _ advice: String = "name another file", _ resumingCommand: String? = nil
  ) -> CommandError {
    let place = path ?? ReportExport.standardOutput
    let resuming = resumingCommand.map { "; the samples are kept: \($0) \(option)FILE writes it" } ?? ""
    return CommandError(.unwritableOutput, "\(option)\(place) cannot be written: \(reason); \(advice)\(resuming)")
  }

  /// Keeps the path's components as typed: removing `..` textually would give another folder after a symbolic link.
  private static func absolute(_ path: String) -> String {
    FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(path)).string
  }
}
