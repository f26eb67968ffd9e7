// The libraries to preload into a program that does the work of a session, by pass.
package import BatchmarkEngine
internal import Foundation
internal import Support

/// The meters' libraries beside the executable.
package struct MeterLibraries: Sendable {
  private let folder: String

  /// The libraries beside an executable.
  package init(besideExecutable path: String) {
    folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
  }

  /// The settings for starting a program in a pass.
  ///
  /// - Parameters:
  ///   - pass: The timing pass has no meter.
  ///   - folder: An existing folder for the meter's files.
  /// - Returns: Its variables; `nil` if nothing is metered.
  /// - Throws: ``InstrumentError/noProgramMeter(reason:)``.
  package func metering(in pass: Pass, folder: String) throws(InstrumentError) -> ProcessMetering? {
    guard pass != .timing else { return nil }
    var libraries = [try path(of: "libCStoreMeter.so")]
    var variables = [
      MeterReading.folderVariable: folder, MeterReading.valuesVariable: "0", MeterReading.statementsVariable: "1",
      // Do not ask for plans: that would be the meter's own work, not the program's.
      MeterReading.plansVariable: "0",
      // Times of this pass are never quoted.
      MeterReading.exactVariable: "1",
    ]
    if pass == .memory {
      libraries.append(try path(of: "libCProgramAllocationMeter.so"))
      // By default, Python and PHP run their own allocators on top of the real one.
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
