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

  private static func publicDeclarations(of module: String) throws -> [String] {
    let folder = package.appending(path: "Sources/\(module)")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var found: [String] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      found += lines.filter { line in
        let words = line.split(separator: " ")
        // Declarations that are re-exported from another module.
        if words.first == "@_exported" { return false }
        return words.first { !$0.hasPrefix("@") }.map { $0 == "public" || $0 == "open" } ?? false
      }.map { "\(file.lastPathComponent): \($0)" }
    }
    return found
  }

  @Test("Modules of no product declare nothing public, and those of each product something")
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
}
