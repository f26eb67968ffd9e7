// Files of the meter from a killed process, or with arbitrary contents: an error or figures, never a crash.
import BatchmarkEngine
import Foundation
import MissionTags
import SQLiteDriver
import Testing

@testable import Instruments

@Suite("A14 · files of the meter", .tags(.a14))
struct MeterFileTests {
  private static let headerBytes = 4096
  private static let size = 4096 + 1024 * 256 + 2048 * 4096 + 1024 * 4096

  /// Reads a file with these bytes.
  private func reading(_ bytes: Data) throws -> MeterReading {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).meter"
    try bytes.write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try MeterReading(of: path)
  }

  /// A file with a header of these words; all other bytes are equal.
  private func file(words: [UInt64], filledWith byte: UInt8 = 0) -> Data {
    var data = Data(repeating: byte, count: Self.size)
    for (index, word) in words.enumerated() {
      withUnsafeBytes(of: word) { data.replaceSubrange(index * 8..<index * 8 + 8, with: Data($0)) }
    }
    return data
  }

  private static let version: UInt64 = 10
  private static let magic: UInt64 = 0x5254_4D45_524F_5453

  @Test("A missing, short or different file is reported with what was found and expected")
  func others() throws {
    #expect(throws: MeterFileError.self) { try MeterReading(of: "/no/such/file.meter") }
    #expect(throws: MeterFileError.self) { try reading(Data(repeating: 1, count: 100)) }
    #expect { try reading(Data()) } throws: { "\($0)".contains("no counters yet") }
    #expect { try reading(file(words: [])) } throws: { "\($0)".contains("no counters yet") }
    #expect { try reading(file(words: [Self.magic, 99])) } throws: { "\($0)".contains("version 99") }
  }

  @Test("A file of a process that had just started has no databases and no statements")
  func empty() throws {
    let reading = try reading(file(words: [Self.magic, Self.version, UInt64(Self.size), 77, 1]))
    #expect(reading.process == 77 && reading.databases.isEmpty && reading.statements.isEmpty)
  }

  @Test("Any bytes are read as figures", arguments: [UInt8(0xFF), 0x80, 0x41])
  func hostile(byte: UInt8) throws {
    let reading = try reading(file(words: [Self.magic, Self.version], filledWith: byte))
    #expect(reading.databases.count == 2048 && reading.statements.count == 1024)
    #expect(reading.statements.allSatisfy { $0.runs >= 0 && $0.timedNanoseconds >= 0 })
    #expect(reading.databases.allSatisfy { $0.commits >= 0 && $0.file.bytesWritten >= 0 })
  }

  @Test("A WAL that several processes have open counts once, with the largest known size")
  func walOfSeveral() {
    var readings: [MeterReading] = []
    for sizes in [[("/a", Int64(100)), ("/b", 10)], [("/a", 300)], [("/a", 200), ("/c", 1)]] {
      var reading = MeterReading()
      reading.databases = sizes.map { path, bytes in
        var database = MeterReading.Database()
        (database.path, database.walBytes, database.walPeakBytes) = (path, bytes, 2 * bytes)
        return database
      }
      reading.walPeakBytes = sizes.map { 2 * $0.1 }.reduce(0, +)
      readings.append(reading)
    }
    #expect(readings.walBytes == 311)
    #expect([MeterReading]().walBytes == 0)
    let counters = SQLiteCounters(readings)
    #expect(counters.walSize == 311 && counters.walPeak == 622)
    // If the logs of a process were large at different times, its peak of all logs together is smaller.
    readings[0].walPeakBytes = 205
    #expect(SQLiteCounters([readings[0]]).walPeak == 205)
  }

  @Test("Figures of several processes are added up, whatever their bytes", arguments: [UInt8(0xFF), 0x7F, 0x80])
  func hostileSums(byte: UInt8) throws {
    let reading = try reading(file(words: [Self.magic, Self.version], filledWith: byte))
    let counters = SQLiteCounters([reading, reading])
    #expect(counters.bytesWritten > 0 && counters.syncs > 0 && counters.sharedMemory.calls > 0)
    #expect(counters.statements > 0 && counters.walPeak > 0)
    #expect(WaitInstrument.nanoseconds(SQLiteTimes([reading, reading]).syncs.total) == .max)
  }

  @Test("Buckets of times are contiguous, and each doubling has four")
  func times() {
    for place in 1..<160 {
      let limits = MeterReading.Statement.limits(ofTime: place)
      #expect(MeterReading.Statement.limits(ofTime: place - 1).upperBound == limits.lowerBound)
      #expect(limits.upperBound > limits.lowerBound && limits.upperBound <= limits.lowerBound * 1.25)
    }
    #expect(MeterReading.Statement.limits(ofTime: 4).upperBound == 16)
  }
}

extension MeterFileTests {
  @Test("Peaks that are reset start at the current amount, and nothing else changes")
  func peaks() throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).meter"
    // One connection, two databases, one statement; all other bytes are 1.
    let words = [Self.magic, Self.version, UInt64(Self.size), 77, 1, 0, 0, 1, 1, 2, 1]
    try file(words: words, filledWith: 1).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let before = try MeterReading(of: path)
    try MeterReading.markPeaks(of: path)
    let after = try MeterReading(of: path)
    #expect(before.databases.allSatisfy { $0.walCommitPeakFrames > 0 && $0.wal.longestSyncNanoseconds > 0 })
    #expect(after.databases.count == 2 && after.walPeakBytes == before.walPeakBytes)
    for database in after.databases {
      #expect(database.walPeakBytes == database.walBytes && database.walBytes > 0)
      #expect(database.walCommitPeakFrames == 0 && database.walBacklogPeakFrames == 0)
      #expect(database.file.longestSyncNanoseconds == 0 && database.wal.longestSyncNanoseconds == 0)
      #expect(database.longestCheckpointNanoseconds == 0 && database.longestDirectoryNanoseconds == 0)
      #expect(database.walFrames == before.databases[0].walFrames && database.wal.syncNanoseconds > 0)
    }
    #expect(throws: MeterFileError.self) { try MeterReading.markPeaks(of: "/no/such/file.meter") }
  }

  /// Header words for connections without a record or without their tracer, and the reason for missing statements.
  static let gaps: [(words: [Int], reason: String?)] = [
    ([], nil), ([11], "it had more connections open than the meter has room for"),
    ([16], "a connection's trace was taken by the program"),
  ]

  @Test("Figures of statements are complete only if every connection is metered", arguments: gaps)
  func statements(words: [Int], reason: String?) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // One database, and statements are traced.
    var header = [Self.magic, Self.version, UInt64(Self.size), 77] + [UInt64](repeating: 0, count: 17)
    (header[9], header[20]) = (1, 1)
    for word in words { header[word] = 1 }
    var data = file(words: header)
    let path = Self.headerBytes + 1024 * 256 + 1024 * 4096 + 1792
    data.replaceSubrange(path..<path + 6, with: Data("/store".utf8))
    try data.write(to: URL(fileURLWithPath: folder + "/77.meter"))
    let process = MeasuredProcess(number: 77, meterFolder: folder)
    let gap = process.statementsGap(storePath: "/store")
    #expect(gap == reason.map { "the figures of statements and page caches are not known: \($0)" })
    #expect(process.filesGap(storePath: "/store") == nil)
  }
}
