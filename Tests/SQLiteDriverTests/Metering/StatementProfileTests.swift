// The counts of the profile of statements. It stays attached to its process, so each test has its own.
import MissionTags
import SQLiteDriver
import Testing

#if os(macOS) || os(Linux) || os(FreeBSD) || os(Windows)
  @Suite("A9 · statement profiles", .tags(.a9))
  struct StatementProfileTests {
    @Test("A statement that SQLite prepares again counts once, for the run that it was prepared for")
    func repreparations() async {
      await #expect(processExitsWith: .success) {
        let profile = try StatementProfile.attach(countsWork: true)
        let folder = try TemporaryDirectory()
        let (one, other) = (try Connection(path: folder.path()), try Connection(path: folder.path()))
        try one.execute("CREATE TABLE item(name)")
        let sql = "INSERT INTO item VALUES('a')"
        let insert = try one.prepare(sql)
        func counted() -> Int64? { profile.costs().first { $0.sql == sql }?.work.repreparations }
        try insert.run()
        #expect(counted() == 0)
        try other.execute("CREATE INDEX item_name ON item(name)")
        try insert.run()
        try insert.run()
        #expect(counted() == 1)
        try other.execute("DROP INDEX item_name")
        try insert.run()
        #expect(counted() == 2)
      }
    }
  }
#endif
