// `inspect --against`: what a model would do to a store, or to each store in a folder.
internal import CoreDataFiles
internal import Foundation
internal import Harness
internal import Reports
internal import Support

extension InspectCommand {
  /// Reports what opening the store, or each store in a folder, with a model would do.
  func tryMigration(to path: String) throws {
    let model = try RecoveredModel(modelFileAt: path)
    // Earlier versions are next to the named one.
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let files = [folder.hasSuffix(".xcdatamodeld") ? folder : path]
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: store, isDirectory: &isFolder), isFolder.boolValue else {
      let inspection = try MigrationInspection(of: store, against: model, modelFiles: files)
      switch format {
      case .table: try Console.output(InspectionReport.lines(inspection))
      case .markdown: try Console.output(InspectionReport.markdown(inspection))
      case .html: try Console.output(encoded: InspectionReport.html(inspection))
      case .json: try Console.output(try InspectionReport.json([inspection]))
      }
      throw CommandEnd(inspection.outcome == .refused ? .failedSamples : .success)
    }
    if format == .markdown || format == .html {
      throw CommandError(
        .usage, "found --format \(format.rawValue) for the folder \(store); expected table or json, or one store")
    }
    guard let stores = try? InspectCommand.stores(in: store) else {
      throw CommandError(
        .unreadableFile, "\(store): found a folder that cannot be listed; expected one that can be read")
    }
    if stores.isEmpty {
      throw CommandError(.unreadableFile, "\(store): found no SQLite database in this folder; expected stores")
    }
    var inspections: [MigrationInspection] = []
    var statuses: [CommandStatus] = []
    for path in stores {
      do {
        let inspection = try MigrationInspection(of: path, against: model, modelFiles: files)
        inspections.append(inspection)
        statuses.append(inspection.outcome == .refused ? .failedSamples : .success)
        if format != .json { try Console.output("\(path): \(inspection.summary)".onOneLine + "\n") }
      } catch {
        let error = CommandError(error)
        Console.complain(lines: error.lines)
        statuses.append(error.status)
      }
    }
    if format == .json { try Console.output(try InspectionReport.json(inspections)) }
    throw CommandEnd(.first(of: statuses))
  }

  /// The SQLite databases directly in a folder, by name.
  private static func stores(in folder: String) throws -> [String] {
    let header = Data("SQLite format 3\u{0}".utf8)
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { folder + "/" + $0 }.filter {
      path in
      // Opening a named pipe would block.
      guard FileKind(at: path) == .plainFile, let file = FileHandle(forReadingAtPath: path) else { return false }
      defer { try? file.close() }
      return (try? file.read(upToCount: header.count)) == header
    }
  }
}
