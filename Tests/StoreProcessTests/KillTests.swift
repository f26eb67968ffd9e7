// B13, C2, D5: a process killed at any moment leaves every transaction complete or not at all, together with its
// history.
import Foundation
import MissionTags
import Support
import Testing

@Suite("B13 C2 D5 · killed at any moment", .onlyWithProcesses, .tags(.b13, .c2, .d5))
struct KillTests {
  @Test("After kill -9 at random moments the store is sound, with everything confirmed and nothing in part")
  func kills() throws {
    let wanted = isThorough ? (kills: 200, inside: 100) : (kills: 12, inside: 3)
    let seed = try chosenSeed()
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let file = EntryFile(path: folder.path + "/store.sqlite")
    var expected = Groups()
    var kills = 0
    var inside = 0
    // On a slow machine, few get far within their time, so more are started.
    while kills < wanted.kills || inside < wanted.inside || expected.last < wanted.kills, kills < 8 * wanted.kills {
      let writer = try ChildProcess(
        ["write", file.path, "\(random.next())", "\(expected.last + 1)", "100000", "800"],
        output: folder.path + "/lines")
      // Most are killed while they work, some while they open the store or recover what the previous one left.
      if kills % 6 != 5 { try #require(writer.waitUntilItSpeaks(), "seed \(seed), kill \(kills + 1)") }
      usleep(UInt32.random(in: 0...60_000, using: &random))
      let isAlive = writer.stop()
      let isInside = try isAlive && file.isBeingWritten()
      writer.kill()
      kills += 1
      if isInside { inside += 1 }
      let place = Comment(rawValue: "seed \(seed), kill \(kills)\(isInside ? ", inside a transaction" : "")")
      let lines = try writer.lines().map { try JSONDecoder().decode(WriterLine.self, from: $0) }
      try #require(isAlive, "\(place.rawValue): it ended by itself: \(lines.compactMap(\.failed))")
      guard try check(file, lines, &expected, place) else { return }
    }
    print("StoreProcess was killed \(kills) times, \(inside) of them inside a transaction; seed \(seed)")
    #expect(inside >= wanted.inside, "of \(kills) kills, seed \(seed)")
    #expect(expected.last >= wanted.kills, "transactions that the processes got done, seed \(seed)")
  }

  /// Checks that the store agrees with the lines; the expectation continues from its state.
  private func check(
    _ file: EntryFile, _ lines: [WriterLine], _ expected: inout Groups, _ place: Comment
  ) throws -> Bool {
    let confirmed = Set(lines.compactMap(\.ends))
    var last: WriterLine?
    for line in lines where line.begins != nil {
      if confirmed.contains(line.begins ?? 0) { expected = expected.after(line) } else { last = line }
    }
    guard try file.isMade() else {
      #expect(expected.last == 0, place)
      return expected.last == 0
    }
    let stored = try file.groups()
    // An unconfirmed transaction may be stored nevertheless, but only as a whole.
    if let last, stored.last == last.begins { expected = expected.after(last) }
    #expect(stored.last == expected.last, place)
    #expect(stored.groups == expected.groups, place)
    for (number, changes) in expected.changes { #expect(try file.changes(of: number) == changes, place) }
    expected.forgetChanges()
    let findings = try file.findings()
    #expect(findings == [], place)
    return findings.isEmpty && stored.last == expected.last && stored.groups == expected.groups
  }
}
