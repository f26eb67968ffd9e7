// What the harness itself costs, as a cell: an instrument of another pass that is attached in the timing pass too.

/// An instrument that a cell has in the timing pass, where there is none otherwise, so that its own cost shows.
public enum Attachment: String, Sendable, Hashable, CaseIterable {
  /// The pass-through VFS and the hooks of the counters pass.
  case meteringVFS = "metering_vfs"
  /// The thread that looks at the memory's figures every millisecond.
  case sampler
  /// The memory pass' library of allocation functions, loaded and asked nothing.
  case allocationMeter = "allocation_meter"
  /// The probe of the processor's speed, which paired workers have in every sample.
  case speedProbe = "speed_probe"
}
