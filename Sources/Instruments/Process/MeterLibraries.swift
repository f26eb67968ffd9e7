// The libraries that are preloaded into a program that does the work of a session, by pass.
package import BatchmarkEngine
internal import Foundation
internal import Support

/// The libraries of the meters beside the executable.
package struct MeterLibraries: Sendable {
  private let folder: String

  /// The libraries beside an executable.
  package init(besideExecutable path: String) {
    folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
  }

  /// What a program is started with in a pass.
  ///
  /// - Parameters:
  ///   - pass: The timing pass has no meter.
  ///   - folder: Where the meter is to write; it is there.
  /// - Returns: Its variables; nil where nothing is metered.
  /// - Throws: ``InstrumentError/noProgramMeter(reason:)``.
  package func metering(in pass: Pass, folder: String) throws(InstrumentError) -> ProcessMetering? {
    guard pass != .timing else { return nil }
    var libraries = [try path(of: "libCStoreMeter.so")]
    var variables = [
      MeterReading.folderVariable: folder, MeterReading.valuesVariable: "0", MeterReading.statementsVariable: "1",
      // What the meter runs itself, to ask for plans, does not count for the program.
      MeterReading.plansVariable: "0",
      // No time is quoted from this pass.
      MeterReading.exactVariable: "1",
    ]
    if pass == .memory {
      libraries.append(try path(of: "libCProgramAllocationMeter.so"))
      // By default, Python and PHP have allocators of their own over blocks of the real one.
      variables["PYTHONMALLOC"] = "malloc"
      variables["USE_ZEND_ALLOC"] = "0"
    }
    variables[PreloadList.variable] = PreloadList.text(libraries)
    return ProcessMetering(variables: variables, folder: folder)
  }

  private func path(of name: String) throws(InstrumentError) -> String {
    let path = "\(folder)/\(name)"
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw .noProgramMeter(
        reason: "found no \(name) beside the executable; build the whole package, and keep its products together")
    }
    guard PreloadList.takes(path) else {
      throw .noProgramMeter(reason: "\(path) has a space or a colon in its path; build in another folder")
    }
    return path
  }
}
