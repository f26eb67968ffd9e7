// The machine in an environment record: facts that explain times. Exact counters do not need them.

/// The machine and the operating system of this process.
///
/// Each fact is `nil` if the system does not report it.
package enum Machine {
  /// The processor's name.
  package static var cpuModel: String? { OperatingSystem.cpuModel() }

  /// Processors that are online.
  package static var logicalCPUs: Int? { OperatingSystem.logicalCPUs() }

  /// Physical memory, in bytes.
  package static var memoryBytes: Int64? { OperatingSystem.memoryBytes() }

  /// Kernel, release and architecture, such as `Linux 6.1.0 x86_64`.
  package static var kernel: String? { OperatingSystem.kernel() }

  /// The distribution, such as `Debian GNU/Linux 12 (bookworm)`.
  package static var operatingSystem: String? { OperatingSystem.prettyName() }

  /// The kernel's setting for transparent huge pages: `always`, `madvise` or `never`.
  package static var transparentHugePages: String? { OperatingSystem.transparentHugePages() }

  /// The frequency governor of the first processor; `nil` on most virtual machines, where the host decides.
  package static var cpuGovernor: String? { OperatingSystem.cpuGovernor() }

  /// The kernel's time source, such as `tsc`.
  package static var clockSource: String? { OperatingSystem.clockSource() }

  /// The average number of runnable threads over the last minute.
  package static var loadAverage: Double? { OperatingSystem.loadAverage() }

  /// The limits that control groups set for this process; `nil` without control groups.
  package static var controlGroupLimits: ControlGroupLimits? { OperatingSystem.controlGroupLimits() }

  /// The volume of a file or folder; `nil` if the path does not exist.
  package static func volume(at path: String) -> Volume? { OperatingSystem.volume(at: path) }
}

/// Limits of a container or service; `nil` for each that is not set.
package struct ControlGroupLimits: Sendable, Hashable {
  /// Memory, in bytes.
  package var memoryBytes: Int64?
  /// Processor time per elapsed time, as a number of processors.
  package var cpus: Double?

  package init(memoryBytes: Int64?, cpus: Double?) {
    self.memoryBytes = memoryBytes
    self.cpus = cpus
  }
}

/// A mounted file system.
package struct Volume: Sendable, Hashable {
  /// Its kind, such as `ext4`.
  package var fileSystem: String
  /// The mount options, as the kernel lists them.
  package var options: String
  /// The mounted device, such as `/dev/vda1`.
  package var device: String
  /// Bytes that an unprivileged user can still write.
  package var freeBytes: Int64

  package init(fileSystem: String, options: String, device: String, freeBytes: Int64) {
    self.fileSystem = fileSystem
    self.options = options
    self.device = device
    self.freeBytes = freeBytes
  }
}
