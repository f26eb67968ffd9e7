// The allocation meter compared with known answers, each in a process that preloads the meter.
import Foundation
import MissionTags
import Testing

@testable import Instruments

@Suite("A3 · the allocation meter", .onlyWithJemalloc, .tags(.a3))
struct AllocationMeterTests {
  static let mebibyte = 1 << 20

  @Test("A block held for microseconds is in the peak to the byte")
  func held() throws {
    let answer = try Probe.run("held")
    #expect(
      answer.figures.filter { $0.key != "nanoseconds" } == [
        "peak": 64 * Self.mebibyte, "left": 0, "allocations": 1, "bytes": 64 * Self.mebibyte,
        "usable": 64 * Self.mebibyte,
      ])
  }

  @Test("A block of an odd size counts with the size that the allocator provides")
  func heldOdd() throws {
    let answer = try Probe.run("heldOdd")
    #expect(try answer["usable"] > 64 * Self.mebibyte + 12_345)
    #expect(try answer["peak"] == answer["usable"])
    #expect(try answer["bytes"] == answer["usable"])
    #expect(try answer["left"] == 0)
  }

  @Test("An untouched block is in the heap and not in the resident set")
  func untouched() throws {
    let answer = try Probe.run("untouched")
    #expect(try answer["peak"] == 256 * Self.mebibyte)
    #expect(try answer["resident"] < 16 * Self.mebibyte)
  }

  @Test("calloc clears dirty memory, and counts once")
  func zeroed() throws {
    let answer = try Probe.run("zeroed")
    #expect(
      answer.figures == [
        "peak": 64 * Self.mebibyte, "left": 0, "allocations": 2, "bytes": 128 * Self.mebibyte, "dirty": 0,
      ])
  }
}

extension AllocationMeterTests {
  @Test("A block that grows and shrinks counts with its current size")
  func growth() throws {
    let answer = try Probe.run("growth")
    #expect(try answer["peak"] == Self.mebibyte)
    #expect(try answer["left"] == 0)
    // From 16 bytes, doubled 16 times, then shrunk once.
    #expect(try answer["allocations"] == 18)
    #expect(try answer["bytes"] == answer["handedOut"])
  }

  @Test("Aligned blocks are aligned, and count with their usable size")
  func aligned() throws {
    let answer = try Probe.run("aligned")
    #expect(try answer["misaligned"] == 0)
    #expect(try answer["allocations"] == 6)
    #expect(try answer["bytes"] == answer["usable"])
    #expect(try answer["left"] == 0)
  }

  @Test("Blocks of every form held at once peak at the sum of their usable sizes, and every byte can be used")
  func forms() throws {
    let answer = try Probe.run("forms")
    #expect(try answer["usable"] > 70_000)
    #expect(try answer["peak"] == answer["usable"])
    // One of the nine grew from its own block.
    #expect(try answer["allocations"] == 10)
    #expect(try answer["left"] == 0)
  }

  @Test("C++'s operators new and delete are counted")
  func operators() throws {
    let answer = try Probe.run("operators")
    #expect(try answer["peak"] == answer["usable"])
    #expect(try answer["allocations"] == 2)
    #expect(try answer["left"] == 0)
  }
}

extension AllocationMeterTests {
  @Test("The guarantees of C, POSIX and glibc are kept; failed calls count nothing")
  func contract() throws {
    var answers = try Probe.run("contract").figures
    #expect(answers.removeValue(forKey: "failuresCounted") == 0)
    #expect(answers.removeValue(forKey: "change") == 0)
    #expect(answers.count == 19)
    #expect(answers.filter { $0.value != 1 }.isEmpty)
  }

  @Test("Blocks freed in reverse order leave nothing, and the peak is their sum")
  func reverse() throws {
    let answer = try Probe.run("reverse")
    #expect(try answer["peak"] == answer["usable"])
    #expect(try answer["allocations"] == 1000)
    #expect(try answer["left"] == 0)
  }

  @Test("After a reset, the peak has only later allocations")
  func reset() throws {
    let answer = try Probe.run("reset")
    #expect(try answer["earlierPeak"] == 8 * Self.mebibyte)
    #expect(try answer["peak"] == Self.mebibyte)
  }

  @Test("The meter and jemalloc's statistics agree to the byte when threads cache nothing")
  func agreement() throws {
    let answer = try Probe.run("agreement", environment: ["MALLOC_CONF": "tcache:false"])
    #expect(try answer["heldByMeter"] > 300 * Self.mebibyte)
    #expect(try answer["heldByMeter"] == answer["heldByJemalloc"])
    #expect(try answer["leftByMeter"] == 0)
    #expect(try answer["leftByJemalloc"] == 0)
  }
}

extension AllocationMeterTests {
  @Test("Blocks that one thread allocates and another frees do not accumulate")
  func crossThread() throws {
    let answer = try Probe.run("crossThread")
    #expect(
      answer.figures == [
        "peak": Self.mebibyte, "left": 0, "allocations": 200, "bytes": 200 * Self.mebibyte,
      ])
  }

  @Test("A block that another thread enlarges and frees counts once, with its current size")
  func crossThreadGrowth() throws {
    let answer = try Probe.run("crossThreadGrowth")
    #expect(
      answer.figures == [
        "peak": 3 * Self.mebibyte, "left": 0, "allocations": 400, "bytes": 200 * (1 + 3) * Self.mebibyte,
      ])
  }

  @Test("Every call of four busy threads is counted")
  func contention() throws {
    let answer = try Probe.run("contention")
    #expect(try answer["allocations"] == 200_000)
    #expect(try answer["bytes"] == answer["usable"])
    #expect(try answer["left"] == 0)
    // No thread ever holds more than one block.
    #expect(try (4096...4 * 4096).contains(answer["peak"]))
  }

  @Test("The peak is the sum of what all threads held at one moment")
  func heldByAll() throws {
    let answer = try Probe.run("heldByAll")
    #expect(try answer["peak"] == 32 * Self.mebibyte)
    #expect(try answer["allocations"] == 32)
    #expect(try answer["left"] == 0)
  }
}

extension AllocationMeterTests {
  @Test("Allocations that a thread marks are counted apart from the rest, with a separate peak for each")
  func marked() throws {
    let answer = try Probe.run("marked")
    #expect(
      answer.figures == [
        "allPeak": 96 * Self.mebibyte, "allLeft": 0, "allAllocations": 3, "unmarkedPeak": 32 * Self.mebibyte,
        "unmarkedLeft": 0, "unmarkedAllocations": 1, "markedPeak": 64 * Self.mebibyte, "markedLeft": 0,
        "markedAllocations": 2,
      ])
  }

  @Test("SQLite's allocations are counted separately: at least what it reports, and all freed at the end")
  func sqlite() throws {
    let answer = try Probe.run("sqlite")
    let (held, peak) = (try answer["heldBySQLite"], try answer["markedPeak"])
    #expect(held > 2_000_000 && peak >= held && peak < held * 3 / 2)
    #expect(try answer["markedLeft"] == 0)
    // The connection is a Swift object.
    #expect(try answer["unmarkedAllocations"] > 0 && answer["unmarkedPeak"] < 100_000)
    #expect(try Probe.run("lateMark").figures == ["refused": 1])
  }

  @Test("Allocations of Swift's own library are counted")
  func swiftAllocations() throws {
    let array = try Probe.run("array")
    // A million integers of 8 bytes and a header, in the allocator's next size.
    #expect(try (8_000_000...8_400_000).contains(array["peak"]))
    #expect(try array["left"] == 0)
    let objects = try Probe.run("objects")
    #expect(try objects["allocations"] >= 200_000)
    #expect(try objects["peak"] >= 100_000 * (32 + 48))
    #expect(try objects["left"] == 0)
  }

  @Test("Six runs give exactly the same figures", arguments: [[], ["fixed"]])
  func repeats(mode: [String]) throws {
    let first = try run(mode)
    #expect(first["peak"] != nil)
    for _ in 2...6 { #expect(try run(mode) == first) }
  }

  private func run(_ mode: [String]) throws -> [String: Int] {
    try (mode.isEmpty ? Probe.run("workload") : Probe.run("workload", mode[0])).figures
  }
}

@Suite("A2 · the timing pass carries no meter", .onlyWithJemalloc, .tags(.a2))
struct MeterAbsenceTests {
  @Test("A process that does not preload the meter has no part of it mapped")
  func absent() throws {
    let plain = try Probe.run("state", metered: false)
    #expect(try plain["meterMapped"] == 0)
    #expect(try plain["meterLoaded"] == 0)
    #expect(try plain["jemallocIsAllocator"] == 1)
    let metered = try Probe.run("state")
    #expect(try metered["meterMapped"] == 1)
    #expect(try metered["meterLoaded"] == 1)
    #expect(try metered["jemallocIsAllocator"] == 1)
  }

  #if os(Linux)
    @Test("This process, which links the same as an executable, calls jemalloc and no meter")
    func absentHere() throws {
      #expect(AllocationMeter.loaded == nil)
      #expect(!AllocationMeter.isInMemoryMap)
      // If a target depended on the meter, it would be linked in and not appear in the memory map.
      for function in ["malloc", "calloc", "realloc", "free", "posix_memalign"] {
        let file = try #require(try file(holding: function))
        #expect(file.contains("jemalloc"), "\(function) is that of \(file)")
      }
    }

    /// The file that contains the function of this name for all of the process's libraries.
    private func file(holding function: String) throws -> String? {
      let address = try #require(DynamicSymbol.address(function))
      let map = try #require(SystemFile.text("/proc/self/maps"))
      for line in map.split(separator: "\n") {
        // "start-end permissions offset device inode  path"
        let fields = line.split(separator: " ")
        let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        if bounds.count == 2, (bounds[0]..<bounds[1]).contains(UInt(bitPattern: address)) {
          return fields.last.map(String.init)
        }
      }
      return nil
    }
  #endif

  @Test("The library is searched only beside the executable")
  func path() throws {
    let found = try #require(AllocationMeter.libraryPath(besideExecutable: Probe.path))
    #expect(found.hasSuffix("/libCAllocationMeter.so"))
    #expect(FileManager.default.fileExists(atPath: found))
    #expect(AllocationMeter.libraryPath(besideExecutable: "/usr/bin/env") == nil)
    #expect(AllocationMeter.libraryPath(besideExecutable: "env") == nil)
    #expect(AllocationMeter.libraryPath(besideExecutable: "") == nil)
  }
}
