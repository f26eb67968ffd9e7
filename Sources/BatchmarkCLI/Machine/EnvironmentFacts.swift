// Facts about the machine and the build for a report.
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments

/// The facts of an environment record, in display order.
enum EnvironmentFacts {
  /// All facts.
  ///
  /// `output` is the folder of the run, and `probe` has its sync times if they are known already.
  static func all(output: String, probe: SyncProbe? = nil) -> [EnvironmentFact] {
    let library = Batchmark.library?.facts ?? .own
    let facts: [(name: String, value: String?)] = [
      ("build", build),
      ("Swift compiler", swiftCompiler),
      ("SQLite", library.identity),
      ("SQLite file", Batchmark.library?.path),
      ("SQLite options", library.options.joined(separator: " ")),
      ("allocator of the workers", Jemalloc.version.map { "jemalloc \($0)" }),
      ("allocator settings", Jemalloc.configuration),
      ("processor", processor),
      ("memory", Machine.memoryBytes.map(bytes)),
      ("resolution of resident peaks", ResidentSet.resolutionBytes.map(bytes)),
      ("container limits", containerLimits),
      ("operating system", Machine.operatingSystem),
      ("kernel", Machine.kernel),
      ("file system of the stores", Machine.volume(at: output).map(fileSystem)),
      ("sync probe", (probe ?? (try? SyncProbe(in: output)))?.text),
      ("transparent huge pages", Machine.transparentHugePages),
      ("CPU governor", Machine.cpuGovernor ?? "unknown, as on most virtual machines"),
      ("clock source", Machine.clockSource),
      ("load average at the end", Machine.loadAverage.map { "\($0)" }),
    ]
    return facts.compactMap { name, value in value.map { EnvironmentFact(name, $0) } }
  }

  static var build: String {
    let identity = Executable.identity
    return "\(Console.programName) \(identity.version), \(identity.configuration), executable \(identity.executable)"
  }

  private static var swiftCompiler: String {
    #if compiler(>=6.5)
      "6.5 or later"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  /// A short description of the machine, the same in every run on it.
  static var machine: String {
    let words = [processor, Machine.memoryBytes.map(bytes), Machine.operatingSystem].compactMap { $0 }
    return words.joined(separator: ", ")
  }

  /// The toolchain that built this executable.
  static var toolchain: String { "Swift \(swiftCompiler)" }

  private static var processor: String? {
    Machine.cpuModel.map { model in model + (Machine.logicalCPUs.map { ", \($0) online" } ?? "") + kept }
  }

  /// The processors that this process is restricted to (`taskset`, a container's set), if they are fewer than those
  /// online.
  private static var kept: String {
    let allowed = Processors.allowed().count
    guard let online = Machine.logicalCPUs, allowed > 0, allowed < online else { return "" }
    return ", \(allowed) of them for this process"
  }

  private static var containerLimits: String? {
    guard let limits = Machine.controlGroupLimits else { return nil }
    let words = [limits.memoryBytes.map(bytes), limits.cpus.map { "\($0) CPUs" }].compactMap { $0 }
    return words.isEmpty ? "none" : words.joined(separator: ", ")
  }

  static func fileSystem(_ volume: Volume) -> String {
    "\(volume.fileSystem) on \(volume.device) (\(volume.options)), \(bytes(volume.freeBytes)) free"
  }

  /// `23.4 GiB`, with one decimal.
  static func bytes(_ count: Int64) -> String {
    var (value, unit) = (Double(count), "B")
    for larger in ["KiB", "MiB", "GiB", "TiB"] where value >= 1024 { (value, unit) = (value / 1024, larger) }
    return unit == "B" ? "\(count) B" : "\((value * 10).rounded() / 10) \(unit)"
  }
}
