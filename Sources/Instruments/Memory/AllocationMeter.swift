// The allocation meter as the measured process sees it: a preloaded library with functions that are found by name.
// Nothing links to it, so a process started without it has no trace of it.

/// Exact figures of the process's allocations, over all threads; available if the process was started with the meter's
/// library preloaded.
package struct AllocationMeter: Sendable {
  /// The meter of this process; `nil` if its library is not preloaded.
  package static let loaded = AllocationMeter()

  /// The meter of this process.
  ///
  /// - Throws: ``InstrumentError/noAllocationMeter`` if its library is not preloaded.
  package static func required() throws(InstrumentError) -> AllocationMeter {
    guard let loaded else { throw .noAllocationMeter }
    return loaded
  }

  private typealias Read = @convention(c) (UnsafeMutableRawPointer) -> Int32
  /// The function to call when a level is reached.
  package typealias Alerted = @convention(c) () -> Void
  private typealias Alert = @convention(c) (Int64, Alerted?) -> Int32
  private typealias Reset = @convention(c) () -> Int32

  private let read: Read
  private let reset: Reset
  private let alert: Alert
  /// Starts (1) or ends (0) marking the calling thread's allocations, and returns the previous state.
  ///
  /// A library calls it around each of its allocations, so that they are counted separately.
  package let mark: @convention(c) (Int32) -> Int32

  private init?() {
    guard let read = DynamicSymbol.address("allocation_meter_read"),
      let reset = DynamicSymbol.address("allocation_meter_reset_peak"),
      let alert = DynamicSymbol.address("allocation_meter_alert"),
      let mark = DynamicSymbol.address("allocation_meter_mark")
    else { return nil }
    self.read = unsafeBitCast(read, to: Read.self)
    self.reset = unsafeBitCast(reset, to: Reset.self)
    self.alert = unsafeBitCast(alert, to: Alert.self)
    self.mark = unsafeBitCast(mark, to: (@convention(c) (Int32) -> Int32).self)
    // A library of another version, or built without the meter, refuses this and every later read.
    var figures = Layout()
    guard self.read(&figures) == 0 else { return nil }
  }

  /// Which allocations to count.
  package enum Owner: UInt64, Sendable {
    case all, unmarked, marked
  }

  /// The present figures; reading them allocates nothing.
  package func figures(of owner: Owner = .all) -> AllocationFigures {
    var figures = Layout()
    figures.owner = owner.rawValue
    _ = read(&figures)
    return AllocationFigures(
      liveBytes: figures.liveBytes, peakBytes: figures.peakLiveBytes, allocations: Int64(figures.allocations),
      allocatedBytes: Int64(figures.allocatedBytes))
  }

  /// The present figures by owner; reading them allocates nothing.
  package func figuresByOwner() -> OwnedFigures {
    OwnedFigures(all: figures(), unmarked: figures(of: .unmarked), marked: figures(of: .marked))
  }

  /// Resets each owner's peak to the present live bytes.
  package func resetPeak() { _ = reset() }

  /// Calls a function once, when the live bytes reach a level, on the allocating thread; `nil` cancels it.
  package func alert(atLiveBytes level: Int64, _ alerted: Alerted?) { _ = alert(level, alerted) }

  /// `struct allocation_meter_figures` of allocation_meter.h, version 2.
  private struct Layout {
    var version: UInt64 = 2
    var owner: UInt64 = 0
    var liveBytes: Int64 = 0
    var peakLiveBytes: Int64 = 0
    var allocations: UInt64 = 0
    var allocatedBytes: UInt64 = 0
  }
}

extension AllocationMeter {
  /// The path of the meter's library beside an executable, where the build puts it; `nil` if it does not exist.
  package static func libraryPath(besideExecutable executable: String) -> String? {
    let folder = executable.lastIndex(of: "/").map { String(executable[...$0]) } ?? ""
    let path = folder + libraryName
    return OperatingSystem.isReadable(path) ? path : nil
  }

  /// Whether the meter's library is mapped into this process; the timing pass promises that it is not.
  ///
  /// It asks the system if possible, not the library.
  package static var isInMemoryMap: Bool {
    OperatingSystem.mapsFile(named: libraryName) ?? (DynamicSymbol.address("allocation_meter_read") != nil)
  }

  #if os(macOS)
    static let libraryName = "libCAllocationMeter.dylib"
  #else
    static let libraryName = "libCAllocationMeter.so"
  #endif
}

/// What a process has allocated, by owner.
package struct OwnedFigures: Sendable, Hashable {
  package var all: AllocationFigures
  /// Allocations without a mark.
  package var unmarked: AllocationFigures
  /// Marked allocations.
  package var marked: AllocationFigures
}

/// What a process has allocated since it started.
///
/// Sizes are those of the allocator's blocks, slightly larger than requested.
package struct AllocationFigures: Sendable, Hashable {
  /// Bytes allocated and not freed.
  package var liveBytes: Int64
  /// The highest ``liveBytes`` since the process started or the peak was reset.
  package var peakBytes: Int64
  /// Calls that allocated memory; a reallocation counts as one.
  package var allocations: Int64
  /// Bytes that those calls allocated.
  ///
  /// A reallocation counts with its whole new size.
  package var allocatedBytes: Int64

  package init(liveBytes: Int64, peakBytes: Int64, allocations: Int64, allocatedBytes: Int64) {
    self.liveBytes = liveBytes
    self.peakBytes = peakBytes
    self.allocations = allocations
    self.allocatedBytes = allocatedBytes
  }
}
