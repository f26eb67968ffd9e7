// C2, C3: one process writes, and another follows with remote changes and history, and is killed again and again.
import Foundation
import MissionTags
import Support
import Testing

@Suite("C2 C3 · one process follows another", .onlyWithProcesses, .tags(.c2, .c3))
struct FollowingTests {
  private struct Sighting: Decodable {
    struct Token: Decodable { let transactionNumber: Int64 }
    let transactions: [Int64]
    let token: Token
  }

  private struct ShownEntry: Decodable {
    let key: String
    let group: Int64?
    let generation: Int64?
    let code: String?
    let text: String?
  }

  private func sightings(_ journal: String) throws -> [Sighting] {
    guard let data = FileManager.default.contents(atPath: journal) else { return [] }
    let whole = data.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return try data[..<whole].split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Sighting.self, from: $0)
    }
  }

  @Test("The follower misses nothing and sees nothing twice in 1,000 transactions, and its objects match the rows")
  func following() throws {
    let last: Int64 = 1_000
    let seed = try chosenSeed()
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let file = EntryFile(path: folder.path + "/store.sqlite")
    let journal = folder.path + "/journal"
    func startFollower() throws -> ChildProcess {
      try ChildProcess(["follow", file.path, journal, "\(last)"], output: folder.path + "/shown")
    }
    func startWriter(_ transactions: ClosedRange<Int64>) throws -> ChildProcess {
      let (first, count) = (transactions.lowerBound, transactions.count)
      return try ChildProcess(
        ["write", file.path, "\(random.next())", "\(first)", "\(count)", "80"], output: folder.path + "/written")
    }
    var follower = try startFollower()
    let beginner = try startWriter(1...100)
    #expect(beginner.waitUntilExit() && beginner.end == .exit(0), "seed \(seed)")
    // Even on a slow machine, the first one has seen some when it is killed, and has more to come.
    while try sightings(journal).isEmpty, !follower.hasEnded { usleep(5_000) }
    #expect(try !follower.hasEnded && !sightings(journal).isEmpty, "seed \(seed)")
    follower.kill()
    var kills = 1
    let writer = try startWriter(101...last)
    follower = try startFollower()
    // The last follower sees at least the second half on its own.
    while kills < 12 {
      usleep(UInt32.random(in: 50_000...250_000, using: &random))
      let seen = try sightings(journal).last?.token.transactionNumber ?? 0
      if seen > last / 2 || follower.hasEnded { break }
      follower.kill()
      if seen > 0 { kills += 1 }
      follower = try startFollower()
    }
    #expect(writer.waitUntilExit() && writer.end == .exit(0), "seed \(seed)")
    #expect(follower.waitUntilExit() && follower.end == .exit(0), "seed \(seed)")
    print("the follower was killed \(kills) times; seed \(seed)")
    let seen = try sightings(journal)
    #expect(seen.flatMap(\.transactions) == Array(1...last), "seed \(seed)")
    #expect(seen.allSatisfy { $0.transactions.last == $0.token.transactionNumber })
    let shown = try follower.lines().map { try JSONDecoder().decode(ShownEntry.self, from: $0) }.map {
      "\($0.key.split(separator: "/p").last ?? "")|\($0.group ?? 0)|\($0.generation ?? 0)|\($0.code ?? "")|\($0.text ?? "")"
    }
    let rows = try file.rows("SELECT Z_PK, ZGROUP, ZGENERATION, ZCODE, ifnull(ZTEXT, '') FROM ZENTRY")
    #expect(Set(shown) == Set(rows) && shown.count == rows.count, "seed \(seed)")
    #expect(try file.findings() == [])
  }
}
