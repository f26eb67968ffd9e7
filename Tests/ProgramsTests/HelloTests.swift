// A program's description of itself, and the file that declares it.
import BatchmarkEngine
import Foundation
import MissionTags
import Programs
import Scenarios
import Testing

@Suite("A13 · hello", .tags(.a13), .enabled(if: PythonProgram.isPossible, PythonProgram.missing))
struct HelloTests {
  @Test("Hello has the engine, its runtime, its SQLite and its strategies")
  func hello() throws {
    let definition = try PythonProgram.sqlite3().definition()
    #expect(definition.hello.engine == "sqlite3" && definition.hello.runtime.contains("Python"))
    #expect(definition.hello.sqlite?.sourceID?.isEmpty == false)
    #expect(definition.changedFile(since: definition) == nil)
    let engine = try ProgramEngine(definition)
    let offers = engine.strategies.map { "\($0.name): \($0.operation.rawValue) as \($0.role.rawValue)" }
    #expect(
      offers == [
        "save: insert as object_by_object", "batch: insert as batch_array", "fetch: fetch as peer",
        "save: update as object_by_object", "batch: update as batch_stored_rows", "save: delete as object_by_object",
        "batch: delete as batch_stored_rows",
      ])
    let inserts = engine.strategies.filter { $0.operation == .insert }
    #expect(inserts.allSatisfy { $0.parameters.map(\.name) == ["save_every"] })
    #expect(try JSONDecoder().decode(ProgramDefinition.self, from: JSONEncoder().encode(definition)) == definition)
  }

  @Test(
    "An unusable hello is refused in one sentence",
    arguments: [
      (
        "strategies[0]['operation'] = 'migrate'",
        "the strategy 'save' has the operation 'migrate'; expected one of insert, fetch, update, delete"
      ),
      (
        "strategies[1]['name'] = 'save'",
        "the strategy 'save' has a name that another has; expected each name once for an operation"
      ),
      ("strategies[0]['role'] = 'reference'", "the strategy 'save' has the role 'reference'; expected one of peer"),
      ("strategies[0]['name'] = 'a b'", "a name that cells cannot have"),
      ("strategies[0]['parameters'] = {'speed': 1}", "the parameter 'speed' with the default '1'; expected"),
      (
        "strategies[0]['parameters'] = {'save_every': 0}",
        "the parameter 'save_every' with the default '0'; expected 1 row or more, or 'all', for one of save_every"
      ),
      ("strategies[:] = []", "found no strategy; expected one in 'strategies'"),
      ("strategies[0].pop('rows')", "the strategy 'save' has no 'rows'; expected 'held' or 'streamed'"),
      ("strategies[0].pop('summary')", "expected the key 'strategies.[0].summary'"),
      (
        "say('{\"hello\": 2, \"engine\": \"a\", \"version\": \"1\", \"runtime\": \"b\", \"strategies\": []}\\n')",
        "found the protocol 2; expected 1"
      ),
      (
        "sys.exit(3)",
        "ended with status 3 during 'hello'; expected an answer on descriptor 4, flushed; requests come on"
      ),
      ("os.close(4); time.sleep(60)", "closed its descriptors during 'hello'"),
      ("time.sleep(60)", "no answer to 'hello' within 2 s"),
      (
        "import nothing_at_all",
        "; it printed \"Traceback (most recent call last):\" … \"ModuleNotFoundError: No module"
      ),
    ])
  func refused(module: String, sentence: String) throws {
    let program = try PythonProgram.faulty(module: module)
    let limits = ProgramLimits(hello: module.hasPrefix("time") ? 2 : 60)
    let error = #expect(throws: ProgramError.self) { try program.definition(limits: limits) }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
  }

  @Test(
    "If a program ends or waits in the middle of an answer, or ends with an error, the sentence has the cause",
    arguments: [
      (
        #"printf '{"hello": 1' >&4"#,
        #"ended with status 0 during 'hello'; expected an answer on descriptor 4, flushed; requests come on descriptor 3; "#
          + #"its answer "{\"hello\": 1" has no end: write a line feed after each, and flush it"#
      ),
      (
        #"printf '{"hello": 1}' >&4; exec sleep 60"#,
        #"the program was stopped; its answer "{\"hello\": 1}" has no end: write a line feed after each, and flush it"#
      ),
      ("exit 0", "the program ended with status 0 during 'hello'; expected an answer on descriptor 4"),
      (#"echo '{"error": " "}' >&4"#, "answered 'hello' with an error of which it says nothing; expected the reason"),
      (#"exec 3<&-; printf '%s\n' '{"error": "a\nb\n"}' >&4"#, "the program answered 'hello' with an error: a b"),
    ])
  func causes(script: String, sentence: String) throws {
    let program = try PythonProgram(ProgramDeclaration(name: "it", command: ["sh", "-c", script]))
    let limits = ProgramLimits(hello: script.contains("sleep") ? 2 : 60)
    let error = #expect(throws: ProgramError.self) { try program.definition(limits: limits) }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
  }

  @Test("A changed script is detected by the file's content, even if it describes itself the same")
  func changedFile() throws {
    let program = try PythonProgram.faulty()
    let before = try program.definition()
    #expect(try program.definition().changedFile(since: before) == nil)
    let script = try #require(before.words.last)
    let text = try String(contentsOfFile: script, encoding: .utf8)
    try Data((text + "\n# another\n").utf8).write(to: URL(filePath: script))
    let after = try program.definition()
    #expect(after.hello == before.hello && after.startsAlike(before))
    #expect(after.changedFile(since: before) == script)
    var unknown = before
    unknown.files = nil
    #expect(after.changedFile(since: unknown) == nil)
  }

  @Test("A missing command, or one that cannot be run, gives one sentence")
  func commands() throws {
    func sentence(_ command: [String], install: String? = nil) throws -> String {
      let program = try PythonProgram(ProgramDeclaration(name: "it", command: command, install: install))
      try Data("x".utf8).write(to: URL(filePath: program.folder + "/plain"))
      try Data("#!/no/such/interpreter\n".utf8).write(to: URL(filePath: program.folder + "/script"))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.folder + "/script")
      let error = #expect(throws: ProgramError.self) { try program.definition() }
      return error?.description ?? ""
    }
    #expect(
      try sentence(["no-such-command"], install: "apt-get install it")
        == "the engine it: found no command 'no-such-command'; expected a program; install it: apt-get install it")
    #expect(try sentence(["./none"]).contains("found no command './none'; expected a program"))
    #expect(try sentence(["plain"]).contains("/plain, which cannot be run; expected a program; set its permission"))
    #expect(try sentence(["script"]).contains("could not be started: No such file or directory"))
  }
}

extension HelloTests {
  @Test("A hello may say that the heap is managed; another word is refused")
  func heap() throws {
    func program(_ word: String) throws -> PythonProgram {
      let plain = "plain = batchmark_engine.hello"
      return try .faulty(
        module: "\(plain)\nbatchmark_engine.hello = lambda *all: dict(plain(*all), heap='\(word)')")
    }
    #expect(try program("managed").definition().hello.heap == .managed)
    #expect(try program("malloc").definition().hello.heap == .malloc)
    #expect(try PythonProgram.sqlite3().definition().hello.heap == nil)
    let error = #expect(throws: ProgramError.self) { try program("none").definition() }
    #expect(error?.description.contains("expected a right value for 'heap'") == true, "\(error?.description ?? "")")
  }
}

@Suite("A13 · the file of engines", .tags(.a13))
struct EngineFileTests {
  @Test("The repository's file names its engines")
  func repository() throws {
    let folder = URL(filePath: PythonProgram.helperFolder).deletingLastPathComponent().path
    let file = try EngineFile(file: folder + "/engines.yml")
    #expect(file.folder == folder && file.engines.count > 14)
    #expect(file.engines.map(\.name).starts(with: ["c-sqlite", "python-sqlite3"]))
    #expect(file.engines.allSatisfy { $0.install == "scripts/engines install \($0.name)" })
  }

  @Test(
    "Mistakes are reported with line and column",
    arguments: [
      ("", "engines.yml: found an empty file"),
      ("engines: []", "engines.yml:1:10: found no engine"),
      ("engines:\n  - {name: a}", "engines.yml:2:5: found no key 'command'"),
      ("engines:\n  - {name: a b, command: [x]}", "engines.yml:2:12: found 'a b'; expected a name of ASCII letters"),
      ("engines:\n  - {name: a, command: x}", "engines.yml:2:24: found 'x'; expected a program and its arguments"),
      ("engines:\n  - {name: a, comand: [x]}", "did you mean 'command'?"),
      ("engines:\n  - {name: a, command: [x]}\n  - {name: a, command: [y]}", "3:5: found a second engine named 'a'"),
    ])
  func mistakes(text: String, message: String) {
    let errors = #expect(throws: ScenarioErrors.self) { try EngineFile(text: text, file: "engines.yml") }
    #expect(errors?.description.contains(message) == true, "\(errors?.description ?? "")")
  }
}
