// The public API of the package: the modules of its products, and nothing from the others.
import Foundation
import MissionTags
import Testing

@Suite("A10 · what is public", .tags(.a10))
struct SurfaceTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The modules in Sources.
  private static let modules =
    ((try? FileManager.default.contentsOfDirectory(atPath: package.appending(path: "Sources").path)) ?? []).sorted()

  /// The modules of the libraries in Package.swift.
  private static func offered() throws -> Set<String> {
    let manifest = try String(contentsOf: package.appending(path: "Package.swift"), encoding: .utf8)
    let libraries = manifest.split(separator: "\n").filter { $0.contains(".library(name: \"") }
    return Set(
      libraries.flatMap { line in
        line.components(separatedBy: "targets: [").dropFirst().joined().components(separatedBy: "\"")
          .enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      })
  }

  /// The lines of a module's files, by file name.
  private static func files(of module: String) throws -> [(name: String, lines: [Substring])] {
    let folder = package.appending(path: "Sources/\(module)")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var found: [(name: String, lines: [Substring])] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      found.append((file.lastPathComponent, text.split(separator: "\n")))
    }
    return found
  }

  private static func publicDeclarations(of module: String) throws -> [String] {
    try files(of: module).flatMap { name, lines in
      lines.filter { line in
        let words = line.split(separator: " ")
        // Declarations that are re-exported from another module.
        if words.first == "@_exported" { return false }
        return words.first { !$0.hasPrefix("@") }.map { $0 == "public" || $0 == "open" } ?? false
      }.map { "\(name): \($0)" }
    }
  }

  @Test("Modules of products have public declarations, and all other modules have none")
  func modules() throws {
    let offered = try Self.offered()
    #expect(
      offered.isSuperset(of: [
        "ObjectGraph", "CoreDataModel", "CoreDataFiles", "SQLiteDriver", "BatchmarkEngine", "BatchmarkCLI",
      ]))
    #expect(offered.isStrictSubset(of: Self.modules))
    for module in Self.modules {
      let found = try Self.publicDeclarations(of: module)
      if offered.contains(module) {
        #expect(!found.isEmpty || module.hasPrefix("C"), "\(module)")
      } else {
        #expect(found.isEmpty, "\(module): \(found.prefix(3))")
      }
    }
  }

  // The build finds an import of a module that a target does not reach at all, but not one that it reaches only through
  // another module.
  @Test(
    "A module imports only what it may: renderers nothing below the analysis, engine authors no reader",
    arguments: [
      ("Reports", ["Analysis", "Charts", "Support"]),
      ("BatchmarkEngine", ["CoreDataModel", "ObjectGraph", "SQLiteDriver", "Support"]),
      ("Charts", []), ("ObjectGraph", ["CoreDataModel", "SQLiteDriver", "Support"]),
    ] as [(String, Set<String>)])
  func imports(module: String, allowed: Set<String>) throws {
    let files = try Self.files(of: module)
    try #require(!files.isEmpty)
    let others = Set(Self.modules + ["Yams", "GRDB", "SystemPackage", "ArgumentParser"])
    for (name, lines) in files {
      var imported: Set<String> = []
      for line in lines {
        let words = line.split(separator: " ").map(String.init)
        if words.count > 1, words[words.count - 2] == "import" { imported.insert(words[words.count - 1]) }
      }
      #expect(imported.intersection(others).isSubset(of: allowed), "\(name)")
    }
  }
}
