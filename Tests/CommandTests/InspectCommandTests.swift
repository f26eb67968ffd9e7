// `inspect`: its output, and one clear sentence for each file that is not a store.
import Foundation
import MissionTags
import SQLiteDriver
import StoreFixtures
import Testing

@Suite("D10 · inspect", .tags(.d10))
struct InspectCommandTests {
  @Test(
    "Standard output has a table, Markdown or JSON; the file and its folder stay unchanged",
    arguments: SampleStore.all(.cars))
  func formats(store: SampleStore) async throws {
    let workspace = try Workspace()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
    try bytes.write(to: URL(fileURLWithPath: workspace.path + "/cars.sqlite"))
    var outputs: [String] = []
    for format in [[], ["--format", "markdown"], ["--format", "json"], ["--values"]] {
      let result = try await Program.batchmark.run(["inspect", "cars.sqlite"] + format, in: workspace.path)
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.isEmpty)
      outputs.append(result.output)
    }
    #expect(outputs[0].contains("ExpensiveSportCar") && outputs[0].hasPrefix("cars.sqlite\n"))
    #expect(outputs[1].hasPrefix("# cars.sqlite\n"))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(outputs[2].utf8)) as? [String: Any])
    let entities = try #require(object["entities"] as? [[String: Any]])
    #expect(
      entities.map { "\($0["name"] ?? "") \($0["rows"] ?? "")" }
        == store.entities.map {
          "\($0.name) \($0.rows)"
        })
    // The maker of a car is part of a row's contents.
    let maker = store.isOwn ? "Volta Motors" : "FIAT"
    #expect(outputs[3].contains(maker))
    #expect(outputs[..<3].allSatisfy { !$0.contains(maker) })
    #expect(outputs.allSatisfy { !$0.contains(workspace.path) })
    #expect(workspace.names() == ["cars.sqlite"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: workspace.path + "/cars.sqlite")) == bytes)
  }

  /// Runs the command on a file of the workspace and expects one sentence with all the words.
  private func refuse(
    _ name: String, in workspace: Workspace, status: Int32, _ words: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await Program.batchmark.run(["inspect", name], in: workspace.path)
    #expect(result.status == status, "\(result.errors)", sourceLocation: sourceLocation)
    #expect(result.output.isEmpty, sourceLocation: sourceLocation)
    #expect(result.errors.hasPrefix("batchmark: \(name)"), "\(result.errors)", sourceLocation: sourceLocation)
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)", sourceLocation: sourceLocation)
    for word in words {
      #expect(result.errors.contains(word), "\(result.errors)", sourceLocation: sourceLocation)
    }
  }

  @Test("A file that is not a store is refused in one sentence, status 65; a missing one, with 66")
  func refusals() async throws {
    let workspace = try Workspace()
    let store = try Data(contentsOf: URL(fileURLWithPath: SampleStore.own(.library).path))
    func write(_ bytes: Data, to name: String) throws {
      try bytes.write(to: URL(fileURLWithPath: workspace.path + "/" + name))
    }
    try FileManager.default.createDirectory(atPath: workspace.path + "/folder", withIntermediateDirectories: true)
    try await refuse("folder", in: workspace, status: 65, ["a directory"])
    try await refuse("none.sqlite", in: workspace, status: 66, ["no such file"])

    var state: UInt64 = 7
    let noise = Data(
      (0..<8_192).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      })
    try write(noise, to: "noise")
    try await refuse("noise", in: workspace, status: 65, ["no SQLite database"])
    try write(Data(), to: "empty")
    try await refuse("empty", in: workspace, status: 65, ["empty"])
    // The pages of an encrypted database have the right size, but none is readable.
    try write(Data(zip(store, (0..<store.count).lazy.map { noise[$0 % noise.count] }).map { $0 ^ $1 }), to: "encrypted")
    try await refuse("encrypted", in: workspace, status: 65, ["encrypted"])
    try write(store.prefix(store.count / 2), to: "truncated")
    try await refuse("truncated", in: workspace, status: 65, ["\(store.count / 2) bytes"])
    let plain = try Connection(path: workspace.path + "/plain")
    try plain.execute("CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY); INSERT INTO ZBOOK VALUES (1)")
    try plain.close()
    try await refuse("plain", in: workspace, status: 65, ["Z_PRIMARYKEY"])
    try write(store, to: "lacking")
    let lacking = try Connection(path: workspace.path + "/lacking", access: .readWrite)
    try lacking.execute("PRAGMA journal_mode = delete; DROP TABLE ZFEEDBACK")
    try lacking.close()
    try await refuse("lacking", in: workspace, status: 65, ["without the table of its entity Feedback"])
  }

  @Test("The command is in the help, and its own help says what it shows and what it does not")
  func help() async throws {
    let workspace = try Workspace()
    let all = try await Program.batchmark.run(["--help"], in: workspace.path)
    #expect(all.output.contains("inspect"))
    let own = try await Program.batchmark.run(["inspect", "--help"], in: workspace.path)
    #expect(own.status == 0)
    for word in ["--format", "table", "markdown", "json", "--values", "content"] { #expect(own.output.contains(word)) }
    let usage = try await Program.batchmark.run(["inspect", "x", "--format", "pdf"], in: workspace.path)
    #expect(usage.status == 64)
  }
}

extension InspectCommandTests {
  /// Writes a model with one entity that no sample has.
  private func writeOtherModel(to workspace: Workspace) throws {
    try FileManager.default.createDirectory(
      atPath: workspace.path + "/Other.xcdatamodel", withIntermediateDirectories: false)
    let entity = #"<entity name="Other"><attribute name="x" attributeType="String"/></entity>"#
    try workspace.write(
      "<?xml version=\"1.0\"?><model type=\"com.apple.IDECoreDataModeler.DataModel\">\(entity)</model>\n",
      to: "Other.xcdatamodel/contents")
  }

  @Test("A folder of stores has no page and no Markdown; its JSON is a list, even for one store", .tags(.d11))
  func formatsOfFolder() async throws {
    let workspace = try Workspace()
    try writeOtherModel(to: workspace)
    try FileManager.default.createDirectory(atPath: workspace.path + "/stores", withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      atPath: SampleStore.own(.cars).path, toPath: workspace.path + "/stores/cars.sqlite")
    func inspect(_ store: String, _ format: String) async throws -> Program.Result {
      try await Program.batchmark.run(
        ["inspect", store, "--against", "Other.xcdatamodel", "--format", format], in: workspace.path)
    }
    for format in ["html", "markdown"] {
      let refused = try await inspect("stores", format)
      #expect(refused.status == 64 && refused.output.isEmpty, "\(refused.output)")
      #expect(refused.errors.contains("found --format \(format) for the folder stores"), "\(refused.errors)")
      #expect(try await inspect("stores/cars.sqlite", format).status == 0)
    }
    for store in ["stores", "stores/cars.sqlite"] {
      let json = try await inspect(store, "json")
      let list = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
      #expect(json.status == 0 && list?.map { $0["outcome"] as? String } == ["migrated"], "\(json.errors)")
    }
  }

  @Test(
    "A folder of stores that cannot be listed ends with 66 and its name", .tags(.d11),
    .enabled(if: Program.canLimitProcesses, "needs another user who can run the executable"))
  func unreadableFolder() async throws {
    let workspace = try Workspace()
    try writeOtherModel(to: workspace)
    try FileManager.default.createDirectory(
      atPath: workspace.path + "/stores", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o000])
    let result = try await Program.batchmark.withoutRoot().run(
      ["inspect", "stores", "--against", "Other.xcdatamodel"], in: workspace.path)
    #expect(result.status == 66 && result.output.isEmpty, "\(result.errors)")
    #expect(result.errors.hasPrefix("batchmark: stores: found a folder that cannot be listed"), "\(result.errors)")
  }

  @Test(
    "The status says what a model would do to a store or to each store of a folder; no file changes", .tags(.d11),
    arguments: SampleStore.all(.cars))
  func against(store: SampleStore) async throws {
    let workspace = try Workspace()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
    try FileManager.default.createDirectory(atPath: workspace.path + "/stores", withIntermediateDirectories: false)
    try bytes.write(to: URL(fileURLWithPath: workspace.path + "/stores/cars.sqlite"))
    try workspace.write("no store\n", to: "stores/readme.txt")
    func model(_ name: String, _ entity: String) throws {
      let folder = "\(workspace.path)/\(name).xcdatamodel"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try workspace.write(
        "<?xml version=\"1.0\"?><model type=\"com.apple.IDECoreDataModeler.DataModel\">\(entity)</model>\n",
        to: "\(name).xcdatamodel/contents")
    }
    try model("Other", #"<entity name="Other"><attribute name="x" attributeType="String"/></entity>"#)
    try model(
      "Wrong",
      #"<entity name="Person"><attribute name="firstName" attributeType="Integer 64"/></entity>"#)
    let cars = store.entities.first { $0.name == "Person" }?.rows ?? 0
    let lost = try await Program.batchmark.run(
      ["inspect", "stores", "--against", "Other.xcdatamodel"], in: workspace.path)
    #expect(lost.status == 0 && lost.output.hasPrefix("stores/cars.sqlite: is migrated: "), "\(lost.errors)")
    #expect(lost.output.contains("\(cars) objects of Person") && lost.output.split(separator: "\n").count == 1)
    let json = try await Program.batchmark.run(
      ["inspect", "stores/cars.sqlite", "--against", "Other.xcdatamodel", "--format", "json"], in: workspace.path)
    #expect(json.status == 0 && json.output.contains("\"outcome\" : \"migrated\""), "\(json.output)")
    let wrong = try await Program.batchmark.run(
      ["inspect", "stores/cars.sqlite", "--against", "Wrong.xcdatamodel"], in: workspace.path)
    #expect(wrong.status == 3 && wrong.output.contains("Person.firstName"), "\(wrong.output)\(wrong.errors)")
    let none = try await Program.batchmark.run(
      ["inspect", "stores", "--against", "None.xcdatamodel"], in: workspace.path)
    #expect(none.status == 66 && none.output.isEmpty, "\(none.errors)")
    let both = try await Program.batchmark.run(
      ["inspect", "stores", "--against", "Other.xcdatamodel", "--integrity"], in: workspace.path)
    #expect(both.status == 64)
    #expect(workspace.names(in: "stores") == ["cars.sqlite", "readme.txt"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: workspace.path + "/stores/cars.sqlite")) == bytes)
  }
  @Test("A named pipe in a folder of stores is skipped", .tags(.d11), .timeLimit(.minutes(10)))
  func pipeAmongStores() async throws {
    let workspace = try Workspace()
    let cars = SampleStore.own(.cars)
    try FileManager.default.createDirectory(atPath: workspace.path + "/stores", withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: cars.path, toPath: workspace.path + "/stores/cars.sqlite")
    #expect(mkfifo(workspace.path + "/stores/pipe", 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: workspace.path + "/Other.xcdatamodel", withIntermediateDirectories: false)
    let entity = #"<entity name="Other"><attribute name="x" attributeType="String"/></entity>"#
    try workspace.write(
      "<?xml version=\"1.0\"?><model type=\"com.apple.IDECoreDataModeler.DataModel\">\(entity)</model>\n",
      to: "Other.xcdatamodel/contents")
    let result = try await Program.batchmark.run(
      ["inspect", "stores", "--against", "Other.xcdatamodel"], in: workspace.path)
    #expect(result.status == 0 && result.output.hasPrefix("stores/cars.sqlite: "), "\(result.output)\(result.errors)")
    #expect(result.output.split(separator: "\n").count == 1 && result.errors.isEmpty)
  }
}
