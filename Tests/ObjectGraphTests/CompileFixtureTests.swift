// D6: misuses of objects that the compiler refuses, each in a separate file in CompileFixtures.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraphFixtures
import Testing

@Suite(
  "D6 · misuse that the compiler refuses", .enabled(if: Compiler.isHere, "no swiftc on PATH, or no modules to be seen"))
struct CompileFixtureTests {
  @Test("Using objects on their queue and IDs across queues compiles", .tags(.d6))
  func correct() throws {
    let result = try Compiler.check(try Fixture("correct"))
    #expect(result == "", "it should compile without a word")
  }

  @Test("The library examples in the README compile", .tags(.d2))
  func readme() throws {
    let blocks = try Fixture.swiftBlocks(of: "README.md")
    #expect(blocks.count == 1, "it shows one program")
    let found = try Compiler.check(Fixture("README", source: blocks.joined()))
    #expect(!found.contains("error:"), "\(found)")
  }

  @Test("The examples in articles compile, each on its own", .tags(.d2), arguments: Fixture.articles)
  func article(fixture: Fixture) throws {
    let found = try Compiler.check(fixture)
    #expect(found == "", "it should compile without a word")
  }

  @Test("Every library has articles with examples", .tags(.d2), arguments: Fixture.libraries)
  func articles(library: String) throws {
    #expect(Fixture.articles.contains { $0.name.hasPrefix("Sources/\(library)/") })
  }

  @Test("An object that leaves its queue is refused", .tags(.d6), arguments: Fixture.misuses)
  func misuse(fixture: Fixture) throws {
    let expected = try #require(fixture.expected, "the fixture says what to expect on a line '// expect: '")
    let found = try Compiler.check(fixture)
    #expect(found.contains("error: " + expected))
  }
}

/// A source file that is not part of any target.
struct Fixture: Sendable, CustomTestStringConvertible {
  static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "CompileFixtures")
  static let package = directory.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let misuses = ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
    .filter { $0.hasSuffix(".swift.txt") }.compactMap { $0.split(separator: ".").first.map(String.init) }
    .filter { $0 != "correct" }
    .compactMap { try? Fixture($0) }

  static let libraries = ["SQLiteDriver", "CoreDataModel", "CoreDataFiles", "ObjectGraph"]
  /// The Swift in the articles of the libraries.
  static let articles = libraries.flatMap { library in
    let folder = "Sources/\(library)/\(library).docc"
    let files = (try? FileManager.default.contentsOfDirectory(atPath: package.appending(path: folder).path)) ?? []
    return files.filter { $0.hasSuffix(".md") }.sorted().flatMap { file in
      ((try? swiftBlocks(of: "\(folder)/\(file)")) ?? []).enumerated().map { index, block in
        Fixture("\(folder)/\(file), example \(index + 1)", source: block)
      }
    }
  }

  let name: String
  let source: String
  /// The compiler's expected message.
  var expected: String? {
    source.split(separator: "\n").first { $0.hasPrefix("// expect: ") }.map { String($0.dropFirst(11)) }
  }
  var testDescription: String { name }

  init(_ name: String, source: String) {
    self.name = name
    self.source = source
  }

  /// The Swift blocks in a page of the documentation.
  static func swiftBlocks(of page: String) throws -> [String] {
    let text = try String(contentsOf: package.appending(path: page), encoding: .utf8)
    return text.components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
  }

  init(_ name: String) throws {
    self.name = name
    source = try String(contentsOf: Fixture.directory.appending(path: name + ".swift.txt"), encoding: .utf8)
  }
}

/// The Swift compiler, with the modules that these tests were built with.
enum Compiler {
  static let isHere = path != nil && modules != nil

  private static let path = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
    .map { $0 + "/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  /// The folder in which the build puts modules, next to the test bundle.
  private static let modules: URL? = {
    #if os(Linux)
      let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    #else
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath ?? ""
    #endif
    let modules = URL(filePath: bundle).deletingLastPathComponent().appending(path: "Modules")
    let isThere = FileManager.default.fileExists(atPath: modules.appending(path: "ObjectGraph.swiftmodule").path)
    return isThere ? modules : nil
  }()

  /// The C modules that the package's modules need, here and in the build folder of the dependencies.
  private static let moduleMaps: [String] = {
    let here = ["CSQLite", "CZlib", "CJemalloc"].map { Fixture.package.appending(path: "Sources/\($0)") }
    // The build makes the map of a C target.
    let built = ["CStoreMeter", "CStoreMeterLinked"].compactMap {
      modules?.deletingLastPathComponent().appending(path: "\($0).build")
    }
    let checkouts = modules?.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "checkouts")
    let elsewhere = [
      "swift-system/Sources/CSystem/include", "Yams/Sources/CYaml/include", "GRDB.swift/Sources/GRDBSQLite",
    ]
    .compactMap { checkouts?.appending(path: $0) }
    return (here + built + elsewhere).map { $0.appending(path: "module.modulemap").path }
      .filter { FileManager.default.fileExists(atPath: $0) }
  }()

  /// The compiler's errors for the file; empty if there are none.
  static func check(_ fixture: Fixture, options: [String] = []) throws -> String {
    guard let path, let modules else { return "" }
    let folder = FileManager.default.temporaryDirectory.appending(path: "fixture-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (source, output) = (folder.appending(path: "Fixture.swift"), folder.appending(path: "output"))
    try fixture.source.write(to: source, atomically: true, encoding: .utf8)
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(filePath: path)
    // The use of sent values is only checked after type checking, when the intermediate language is generated.
    process.arguments = [
      "-swift-version", "6", "-emit-sil", "-o", folder.appending(path: "sil").path, "-I", modules.path,
      "-module-cache-path", modules.deletingLastPathComponent().appending(path: "ModuleCache").path,
      // One C module includes another's header.
      "-Xcc", "-I" + Fixture.package.appending(path: "Sources/CStoreMeter/include").path,
    ]
    process.arguments? += moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=" + $0] } + options + [source.path]
    // The compiler leaves a folder in its temporary folder.
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    return try String(contentsOf: output, encoding: .utf8)
  }
}
