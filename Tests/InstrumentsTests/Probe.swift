// Starts MeterProbe, a small executable next to the tests, and reads the figures that it prints.
import Foundation
import Instruments
import Testing

/// A separate process, with or without the allocation meter.
enum Probe {
  /// The folder with the probe and the meter's library: the same as the test bundle's executable.
  private static let folder: URL? = {
    #if os(Linux)
      let running = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return running.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    #else
      return nil
    #endif
  }()

  static var path: String { folder?.appendingPathComponent("MeterProbe").path ?? "" }

  /// The number of the process, and its output.
  struct Answer {
    let process: Int
    let figures: [String: Int]

    /// A figure that must exist.
    subscript(_ name: String) -> Int {
      get throws { try #require(figures[name], "the probe printed no \(name)") }
    }
  }

  /// Runs the case that the first argument names; `fixed` as the second argument requests fixed addresses.
  static func run(
    _ arguments: String..., metered: Bool = true, environment: [String: String] = [:]
  ) throws -> Answer {
    var variables = ProcessInfo.processInfo.environment
    variables["SWIFT_DETERMINISTIC_HASHING"] = "1"
    variables["LD_PRELOAD"] = nil
    if metered {
      let library: String = try #require(
        AllocationMeter.libraryPath(besideExecutable: path), "the meter's library was not built beside the tests")
      variables["LD_PRELOAD"] = library
    }
    variables.merge(environment) { $1 }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = variables
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let number = Int(process.processIdentifier)
    try #require(process.terminationReason == .exit && process.terminationStatus == 0)
    return Answer(process: number, figures: try JSONDecoder().decode([String: Int].self, from: data))
  }
}

extension Trait where Self == ConditionTrait {
  /// For tests that need a build with jemalloc on Linux.
  static var onlyWithJemalloc: Self {
    #if os(Linux)
      .enabled(if: Jemalloc.isLinked, "this build, for a sanitizer, has no jemalloc")
    #else
      .disabled("the allocation meter and its figures are for Linux")
    #endif
  }
}
