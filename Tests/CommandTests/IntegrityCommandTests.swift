// `inspect --integrity`: its output, its exit status, and that it changes nothing.
import Foundation
import MissionTags
import SQLiteDriver
import StoreFixtures
import Testing

@Suite("D13 · inspect --integrity", .tags(.d13))
struct IntegrityCommandTests {
  /// A copy of a store of the tests, changed with SQL.
  private func workspace(_ sql: String = "") throws -> Workspace {
    let workspace = try Workspace()
    let store = try Data(contentsOf: URL(fileURLWithPath: SampleStore.own(.cars).path))
    try store.write(to: URL(fileURLWithPath: workspace.path + "/cars.sqlite"))
    if sql.isEmpty { return workspace }
    let connection = try Connection(path: workspace.path + "/cars.sqlite", access: .readWrite)
    try connection.setPragma("journal_mode", to: "delete")
    try connection.execute(sql)
    try connection.close()
    return workspace
  }

  /// Runs the command in every format and expects the status; returns the outputs.
  private func check(
    _ workspace: Workspace, status: Int32, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    func files() throws -> [Data] {
      try workspace.names().map { try Data(contentsOf: URL(fileURLWithPath: "\(workspace.path)/\($0)")) }
    }
    let (names, before) = (workspace.names(), try files())
    var outputs: [String] = []
    for format in ["table", "markdown", "html", "json"] {
      let result = try await Program.batchmark.run(
        ["inspect", "cars.sqlite", "--integrity", "--format", format], in: workspace.path)
      #expect(result.status == status, "\(format): \(result.errors)", sourceLocation: sourceLocation)
      #expect(result.errors.isEmpty, sourceLocation: sourceLocation)
      outputs.append(result.output)
    }
    #expect(workspace.names() == names, sourceLocation: sourceLocation)
    #expect(try files() == before, sourceLocation: sourceLocation)
    return outputs
  }

  private func json(_ outputs: [String]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(outputs[3].utf8)) as? [String: Any])
  }

  @Test("A sound store ends with 0 and says what was checked")
  func sound() async throws {
    let outputs = try await check(try workspace(), status: 0)
    #expect(outputs[0].hasPrefix("cars.sqlite\n\nstore    sound\n"))
    #expect(outputs[0].contains("checked  1 relationship, "))
    #expect(outputs[1].hasPrefix("# cars.sqlite\n") && outputs[2].hasPrefix("<!DOCTYPE html>"))
    let object = try json(outputs)
    #expect(object["schemaVersion"] as? Int == 1 && (object["damage"] as? [String])?.isEmpty == true)
    let integrity = try #require(object["integrity"] as? [String: Any])
    #expect(integrity["relationships"] as? Int == 1 && (integrity["breaches"] as? [Any])?.isEmpty == true)
  }

  @Test(
    "A broken rule ends with 3 and is named with its rows, in the file or in a log beside it", arguments: [false, true])
  func broken(inLog: Bool) async throws {
    let sql = "UPDATE ZCAR SET ZOWNER = 999 WHERE Z_PK = (SELECT min(Z_PK) FROM ZCAR)"
    let workspace = try workspace(inLog ? "" : sql)
    if inLog {
      // A connection that is still open during the copy leaves its log.
      let path = workspace.path + "/cars.sqlite"
      let connection = try Connection(path: path, access: .readWrite)
      try connection.setPragma("journal_mode", to: "wal")
      try connection.execute(sql)
      try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
      try FileManager.default.copyItem(atPath: path + "-wal", toPath: path + ".copy-wal")
      try connection.close()
      for suffix in ["", "-wal"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
        try FileManager.default.moveItem(atPath: path + ".copy" + suffix, toPath: path + suffix)
      }
      #expect(workspace.names() == ["cars.sqlite", "cars.sqlite-wal"])
    }
    let outputs = try await check(workspace, status: 3)
    for output in outputs[..<3] { #expect(output.contains("1 key of Car.owner leads to no row")) }
    let integrity = try #require(try json(outputs)["integrity"] as? [String: Any])
    let breach = try #require((integrity["breaches"] as? [[String: Any]])?.first)
    #expect(breach["rule"] as? String == "key_leads_to_row" && breach["count"] as? Int == 1)
    #expect(breach["entity"] as? String == "Car" && breach["relationship"] as? String == "owner")
    #expect((breach["examples"] as? [String])?.count == 1)
  }
}

extension IntegrityCommandTests {
  @Test("A given model adds the rules that tables do not show; an invalid one, or another store's, gives no verdict")
  func givenModel() async throws {
    // A store without a copy of its model, written by ObjectGraph; 7 cars have no owner.
    let workspace = try workspace("DELETE FROM Z_MODELCACHE")
    func write(_ person: String, to folder: String) throws {
      try FileManager.default.createDirectory(atPath: workspace.path + "/" + folder, withIntermediateDirectories: true)
      try workspace.write(
        """
        <model>
          <entity name="Car">
            <relationship name="owner" maxCount="1" deletionRule="Nullify" destinationEntity="\(person)"
              inverseName="cars" inverseEntity="\(person)"/>
          </entity>
          <entity name="SportCar" parentEntity="Car"/>
          <entity name="ExpensiveSportCar" parentEntity="SportCar"/>
          <entity name="\(person)">
            <relationship name="cars" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Car"
              inverseName="owner" inverseEntity="Car"/>
          </entity>
        </model>
        """, to: folder + "/contents")
    }
    try write("Person", to: "Cars.xcdatamodel")
    try write("Driver", to: "Other.xcdatamodel")
    func run(_ arguments: String...) async throws -> Program.Result {
      try await Program.batchmark.run(["inspect", "cars.sqlite"] + arguments, in: workspace.path)
    }
    let own = try await run("--integrity")
    #expect(own.status == 0 && own.output.contains("from the tables") && own.output.contains("not checked"))
    let given = try await run("--integrity", "--model", "Cars.xcdatamodel")
    #expect(given.status == 3 && given.errors.isEmpty, "\(given.errors)")
    #expect(given.output.contains("from the model file") && !given.output.contains("not checked"), "\(given.output)")
    #expect(given.output.contains("7 ") && given.output.contains("Car.owner"), "\(given.output)")
    let contents = try await run("--integrity", "--model", "Cars.xcdatamodel/contents")
    #expect(contents.output == given.output)
    let other = try await run("--integrity", "--model", "Other.xcdatamodel")
    #expect(other.status == 65 && other.output.isEmpty && other.errors.contains("no entity Driver"), "\(other.errors)")
    for (model, status) in [("none.xcdatamodel", 66), ("cars.sqlite", 65)] as [(String, Int32)] {
      let result = try await run("--integrity", "--model", model)
      #expect(result.status == status && result.output.isEmpty && result.errors.contains(model), "\(result.errors)")
    }
    #expect(try await run("--model", "Cars.xcdatamodel").status == 64)
    let noStore = try await Program.batchmark.run(
      ["inspect", "none.sqlite", "--integrity", "--model", "Cars.xcdatamodel"], in: workspace.path)
    #expect(noStore.status == 66 && noStore.errors.contains("none.sqlite"), "\(noStore.errors)")
  }

  @Test("A truncated file, or one that SQLite reports as damaged, ends with 3")
  func damaged() async throws {
    let workspace = try workspace()
    let url = URL(fileURLWithPath: workspace.path + "/cars.sqlite")
    let bytes = try Data(contentsOf: url)
    try bytes.prefix(bytes.count / 2).write(to: url)
    let cutOff = try await check(workspace, status: 3)
    #expect(cutOff[0].contains("\(bytes.count / 2) bytes of a store of \(bytes.count)"))
    #expect(cutOff[0].contains("The file is too damaged to check its rows."))
    // A page that belongs to no table or index.
    let lost = """
      CREATE TABLE lost (a); PRAGMA writable_schema = 1; DELETE FROM sqlite_master WHERE name = 'lost';
      PRAGMA writable_schema = 0
      """
    let complaint = try await check(try self.workspace(lost), status: 3)
    #expect(complaint[0].contains("never used") && complaint[0].contains("store    not sound"))
  }

  @Test("A missing file, or one that is not a store, ends with 66 and one sentence")
  func noStore() async throws {
    let workspace = try workspace()
    func write(_ data: Data, _ name: String) throws {
      try data.write(to: URL(fileURLWithPath: workspace.path + "/" + name))
    }
    try write(Data(), "empty")
    try write(Data(repeating: 0x5A, count: 8_192), "noise")
    try FileManager.default.createDirectory(atPath: workspace.path + "/folder", withIntermediateDirectories: true)
    let plain = try Connection(path: workspace.path + "/plain")
    try plain.execute("CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY)")
    try plain.close()
    for (name, word) in [
      ("none", "no such file"), ("empty", "an empty file"), ("noise", "no SQLite database"), ("folder", "a directory"),
      ("plain", "Z_PRIMARYKEY"),
    ] {
      let result = try await Program.batchmark.run(["inspect", name, "--integrity"], in: workspace.path)
      #expect(result.status == 66 && result.output.isEmpty, "\(result.errors)")
      #expect(result.errors.hasPrefix("batchmark: \(name)") && result.errors.contains(word), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
    let usage = try await Program.batchmark.run(
      ["inspect", "cars.sqlite", "--integrity", "--values"], in: workspace.path)
    #expect(usage.status == 64)
  }
}
