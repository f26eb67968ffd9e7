// scripts/setup on incomplete machines: folders with only a few commands.
import Foundation
import Testing

@Suite("Scripts · setup")
struct SetupTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("scripts/setup").path

  private static let swift = "echo 'Swift version 6.3.1 (swift-6.3.1-RELEASE)'"
  private static let isInstalled = "printf 'install ok installed'"

  /// Runs the script with only these commands, each as a few shell lines, and the tools that it needs.
  private func setup(_ commands: [String: String]) async throws -> Program.Result {
    let workspace = try Workspace()
    defer { withExtendedLifetime(workspace) {} }
    for tool in ["bash", "sh", "sed", "head", "sort", "grep", "uname", "id"] where commands[tool] == nil {
      let file = try #require(
        ["/bin/", "/usr/bin/"].map { $0 + tool }.first { FileManager.default.isExecutableFile(atPath: $0) })
      try FileManager.default.createSymbolicLink(atPath: workspace.path + "/" + tool, withDestinationPath: file)
    }
    for (name, lines) in commands { try workspace.writeCommand(lines, to: name) }
    return try await Running(
      "/bin/bash", [Self.script], in: workspace.path, allowsDebug: true, environment: ["PATH": workspace.path]
    ).end()
  }

  @Test(
    "A toolchain that cannot start is shown with the loader's sentence, the library and the packages that are missing",
    arguments: [("--version", "libncurses.so.6"), ("build", "libcurl.so.4")])
  func loader(argument: String, library: String) async throws {
    let sentence =
      "swift: error while loading shared libraries: \(library): cannot open shared object file: No such file or directory"
    let result = try await setup([
      "swift": "[ \"$1\" = \(argument) ] || { \(Self.swift); exit; }\necho '\(sentence)' >&2\nexit 127",
      "dpkg-query":
        "case \"$*\" in *libncurses-dev|*curl4-openssl-dev|*libjemalloc-dev) exit 1 ;; esac\n\(Self.isInstalled)",
    ])
    #expect(result.status == 69)
    #expect(result.errors.contains("ended with status 127 and said:\nsetup:   \(sentence)\n"))
    #expect(result.errors.contains("setup: the library \(library) is missing\n"))
    #expect(
      result.errors.hasSuffix(
        "setup:   apt-get update && apt-get install --yes libcurl4-openssl-dev libncurses-dev libjemalloc-dev\n"))
  }

  @Test("If nothing is missing, neither sudo nor apt-get is called, and nothing is printed")
  func complete() async throws {
    let complete = ["swift": Self.swift, "pkg-config": "exit 0", "dpkg-query": Self.isInstalled]
    let calls = ["sudo": "echo sudo >&2; exit 1", "apt-get": "echo apt-get >&2; exit 1", "id": "echo 1000"]
    for commands in [complete, complete.merging(calls) { $1 }, ["swift": Self.swift, "pkg-config": "exit 0"]] {
      let result = try await setup(commands)
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }
  }

  @Test("Missing packages are installed as root, by sudo if necessary, and named if neither is possible")
  func missing() async throws {
    let packages = "libsqlite3-dev libjemalloc-dev zlib1g-dev"
    var commands = [
      "swift": Self.swift, "pkg-config": "exit 1", "dpkg-query": "exit 1", "apt-get": "echo \"apt-get $*\" >&2",
      "id": "echo 0",
    ]
    let root = try await setup(commands)
    #expect(root.status == 0 && root.errors.hasSuffix("apt-get install -y -qq \(packages)\n"), "\(root.errors)")
    commands["id"] = "echo 1000"
    let user = try await setup(commands)
    #expect(user.status == 77)
    #expect(user.errors.hasSuffix("as root:\nsetup:   apt-get update && apt-get install --yes \(packages)\n"))
    commands["sudo"] = "echo \"sudo $1\" >&2\nexec \"$@\""
    let sudo = try await setup(commands)
    #expect(sudo.status == 0 && sudo.errors.contains("\nsudo sh\napt-get update -qq\n"), "\(sudo.errors)")
    commands["apt-get"] = nil
    let other = try await setup(commands)
    #expect(other.status == 69 && other.errors.contains("missing \(packages), and there is no apt-get here"))
  }
}
