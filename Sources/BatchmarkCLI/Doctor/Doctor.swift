// The doctor's checks of the build, the libraries and the current directory.
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments
internal import SQLiteDriver
internal import Reports

/// Checks everything that measurements depend on.
enum Doctor {
  /// The build and its libraries.
  static func environmentChecks() -> [DoctorCheck] { [build, allocator, sqlite, residentSet] }

  /// The machine's state and the current directory, where reports are written by default.
  static func placeChecks() -> [DoctorCheck] {
    let folder = FileManager.default.currentDirectoryPath
    return [fileSystem(folder), syncs(folder), load]
  }

  private static var build: DoctorCheck {
    Executable.isDebugBuild
      ? .fail("build", "\(EnvironmentFacts.build); run refuses to measure", "build with swift build -c release")
      : .ok("build", EnvironmentFacts.build)
  }

  private static var allocator: DoctorCheck {
    do {
      try Jemalloc.verifyIsAllocator()
      return .ok("allocator", "jemalloc \(Jemalloc.version ?? "") allocates for this process")
    } catch InstrumentError.builtWithoutJemalloc {
      return .warn(
        "allocator", "this build is without jemalloc, so there is no memory pass", "build without BATCHMARK_SANITIZE")
    } catch {
      return .fail("allocator", "\(error)", "correct this first: every sample would fail")
    }
  }

  private static var sqlite: DoctorCheck {
    let options = SQLiteLibrary.compileOptions
    let finding = "\(SQLiteLibrary.version), \(options.count) compile options"
    if let option = options.first(where: { $0 == "OMIT_WAL" || $0 == "THREADSAFE=0" }) {
      return .fail("SQLite", "\(finding), \(option) among them", "install an SQLite built without that option")
    }
    return .ok("SQLite", finding)
  }

  private static var residentSet: DoctorCheck {
    ResidentSet.resetPeak()
      ? .ok("resident set", "its peak can be reset for each phase")
      : .warn(
        "resident set", "its peak cannot be reset, so the resident peak is the whole process's",
        "use a kernel with CONFIG_PROC_PAGE_MONITOR; nothing else depends on it")
  }

  private static func fileSystem(_ folder: String) -> DoctorCheck {
    guard let volume = Machine.volume(at: folder) else {
      return .warn(
        "file system", "the system says nothing about \(folder)", "give run a folder on a local disk with --out")
    }
    let finding = EnvironmentFacts.fileSystem(volume)
    if volume.freeBytes < 1 << 30 {
      return .warn("file system", finding, "a sample may need several times its rows' size; make room")
    }
    if ["tmpfs", "ramfs", "nfs", "nfs4", "cifs", "9p"].contains(volume.fileSystem) {
      return .warn("file system", finding, "syncs cost nothing there, or a network's time; use a local disk")
    }
    return .ok("file system", finding)
  }

  private static func syncs(_ folder: String) -> DoctorCheck {
    do throws(OutputError) {
      return .ok("syncs", try SyncProbe(in: folder).text)
    } catch {
      return .fail("syncs", error.description, "run doctor in a folder that can be written")
    }
  }

  private static var load: DoctorCheck {
    guard let load = Machine.loadAverage, let cpus = Machine.logicalCPUs else {
      return .warn("load", "the system does not report it", "check that nothing else is running")
    }
    let finding = "\(load) over the last minute, on \(cpus) CPUs"
    return load < Double(cpus) / 2
      ? .ok("load", finding) : .warn("load", finding, "times will be noisy; wait until the machine is idle")
  }
}

/// The result of one check.
struct DoctorCheck: Codable {
  enum Verdict: String, Codable, CaseIterable {
    case ok, warn, fail
  }

  var verdict: Verdict
  var name: String
  var finding: String
  /// What to do; `nil` if everything is fine.
  var advice: String?

  static func ok(_ name: String, _ finding: String) -> DoctorCheck {
    DoctorCheck(verdict: .ok, name: name, finding: finding)
  }

  /// Measuring works, but the figures are less reliable.
  static func warn(_ name: String, _ finding: String, _ advice: String) -> DoctorCheck {
    DoctorCheck(verdict: .warn, name: name, finding: finding, advice: advice)
  }

  /// A run would not start, or all its samples would fail.
  static func fail(_ name: String, _ finding: String, _ advice: String) -> DoctorCheck {
    DoctorCheck(verdict: .fail, name: name, finding: finding, advice: advice)
  }

  /// `ok build: release`, with the advice below it.
  var text: String {
    let head = verdict.rawValue + String(repeating: " ", count: 6 - verdict.rawValue.count)
    return "\(head)\(name): \(finding.onOneLine)\n" + (advice.map { "      \($0.onOneLine)\n" } ?? "")
  }
}
