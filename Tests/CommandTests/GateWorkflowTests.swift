// The shell steps of `.github/workflows/gate.yml`, with a script in place of `gh`.
import Foundation
import MissionTags
import Testing

@Suite("A7 · the workflow of the gate", .tags(.a7))
struct GateWorkflowTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: ".github/workflows/gate.yml")
  private static let hasJQ = FileManager.default.isExecutableFile(atPath: "/usr/bin/jq")

  private static let mark = "<!-- batchmark gate: MyEngine mine.yml -->"

  /// The commands of a step.
  private static func lines(of step: String) throws -> String {
    let text = try String(contentsOf: file, encoding: .utf8)
    let rest = try #require(text.components(separatedBy: "- name: \(step)\n").dropFirst().first)
    let script = try #require(rest.components(separatedBy: "        run: |\n").dropFirst().first)
    return script.components(separatedBy: "\n").prefix { $0.hasPrefix("          ") }.map { $0.dropFirst(10) }
      .joined(separator: "\n")
  }

  @Test("Every job of a gate builds the meters that scripts/bench builds, those of programs too")
  func meters() throws {
    let root = Self.file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    func text(_ path: String) throws -> String { try String(contentsOf: root.appending(path: path), encoding: .utf8) }
    let meters = try text("scripts/bench").matches(of: /--product (C\w+)/).map { String($0.1) }
    #expect(meters.count == 3)
    let articles = "Sources/BatchmarkCLI/BatchmarkCLI.docc"
    let jobs = [
      "action.yml", ".github/workflows/benchmark.yml", "\(articles)/GatingAPullRequest.md",
      "\(articles)/ComparisonReference.md",
    ]
    for job in jobs {
      let built = try text(job)
      #expect(meters.filter { !built.contains($0) } == [], "\(job)")
    }
  }

  /// Runs a step as GitHub does.
  private func run(
    _ step: String, in workspace: Workspace, _ environment: [String: String]
  ) async throws -> Program.Result {
    let lines = try Self.lines(of: step)
    let path = workspace.path + ":/usr/bin:/bin"
    return try await Running(
      "/bin/bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", lines], in: workspace.path, allowsDebug: true,
      environment: environment.merging(["PATH": path]) { $1 }
    ).end()
  }

  @Test(
    "The gate's comment replaces its earlier one, whoever commented since, or is a new one",
    .enabled(if: hasJQ, "there is no jq here"),
    arguments: [
      // Another workflow's comment is newer. Comments of people are never overwritten.
      (
        [(1, "Bot", mark), (2, "User", mark), (3, "Bot", "Coverage: 90 %")],
        "PATCH repos/team/engine/issues/comments/1"
      ),
      (
        [(3, "Bot", "Coverage: 90 %"), (4, "Bot", "<!-- batchmark gate: MyEngine other.yml -->")],
        "POST repos/team/engine/issues/7/comments"
      ),
      ([], "POST repos/team/engine/issues/7/comments"),
    ])
  func comment(stored: [(id: Int, author: String, body: String)], request: String) async throws {
    let workspace = try Workspace()
    let comments = stored.map { #"{"id":\#($0.id),"user":{"type":"\#($0.author)"},"body":"\#($0.body)\nPASS"}"# }
    try workspace.write("[\(comments.joined(separator: ","))]", to: "comments.json")
    try FileManager.default.createDirectory(atPath: workspace.path + "/pair", withIntermediateDirectories: true)
    try workspace.write("# PASS\n![times](times.svg)\nquick enough\n", to: "pair/report.md")
    try workspace.writeCommand(
      """
      [ "$1 $3" = "api --paginate" ] && [ "$2" = repos/team/engine/issues/7/comments ] && exec jq -r "$5" comments.json
      [ "$1 $2 $3 $6 $7" = "api --silent --method --field body=@comment.md" ] && echo "$4 $5" >> requests
      """, to: "gh")
    let result = try await run(
      "Tell the pull request", in: workspace,
      ["REQUEST": "7", "GITHUB_REPOSITORY": "team/engine", "MARK": Self.mark])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try workspace.text(of: "requests") == request + "\n")
    #expect(try workspace.text(of: "comment.md") == "\(Self.mark)\n# PASS\nquick enough\n")
  }

  @Test("If a page is too long for a comment, the lines that fit are kept")
  func longComment() async throws {
    let workspace = try Workspace()
    try FileManager.default.createDirectory(atPath: workspace.path + "/pair", withIntermediateDirectories: true)
    let lines = (1...3_000).map { "line \($0) of a long page" }
    try workspace.write("# PASS\n\(lines.joined(separator: "\n"))\n", to: "pair/report.md")
    try workspace.writeCommand(
      """
      [ "$1 $3" = "api --paginate" ] && exit 0
      [ "$1 $2 $3 $6 $7" = "api --silent --method --field body=@comment.md" ] && echo "$4 $5" >> requests
      """, to: "gh")
    let result = try await run(
      "Tell the pull request", in: workspace,
      ["REQUEST": "7", "GITHUB_REPOSITORY": "team/engine", "MARK": Self.mark])
    #expect(result.status == 0, "\(result.errors)")
    let comment = try workspace.text(of: "comment.md")
    #expect(comment.count <= 65_536 && comment.hasPrefix("\(Self.mark)\n# PASS\nline 1 of"))
    #expect(comment.hasSuffix(" of a long page\n\nThe rest of the page is in the artifact, with the pictures.\n"))
    #expect(try workspace.text(of: "requests").hasPrefix("POST "))
  }

  @Test("Gates of one run keep their samples under different names, which are valid for artifacts")
  func artifacts() async throws {
    let workspace = try Workspace()
    for scenario in ["mine.yml", "suites/other one.yml"] {
      let result = try await run(
        "Name the samples", in: workspace,
        ["PRODUCT": "MyEngine", "SCENARIO": scenario, "GITHUB_OUTPUT": workspace.path + "/output"])
      #expect(result.status == 0, "\(result.errors)")
    }
    #expect(
      try workspace.text(of: "output")
        == "artifact=pair-MyEngine-mine.yml\nartifact=pair-MyEngine-suites_other_one.yml\n")
  }

  @Test("The action runs in the requested version")
  func version() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    #expect(text.contains("repository: ${{ inputs.batchmark }}\n          ref: ${{ inputs.ref }}\n"))
  }
}
