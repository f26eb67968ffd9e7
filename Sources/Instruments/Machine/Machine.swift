// What an environment record says of the machine: facts that explain times, none of which an exact counter needs.

/// The machine and the system the process runs on.
///
/// Each fact is nil where the system does not tell it.
public enum Machine {
  /// The processor's name.
  public static var cpuModel: String? { OperatingSystem.cpuModel() }

  /// Processors that are online.
  public static var logicalCPUs: Int? { OperatingSystem.logicalCPUs() }

  /// Physical memory, in bytes.
  public static var memoryBytes: Int64? { OperatingSystem.memoryBytes() }

  /// Kernel, release and architecture, such as `Linux 6.1.0 x86_64`.
  public static var kernel: String? { OperatingSystem.kernel() }

  /// The distribution, such as `Debian GNU/Linux 12 (bookworm)`.
  public static var operatingSystem: String? { OperatingSystem.prettyName() }

  /// The kernel's setting of transparent huge pages: `always`, `madvise` or `never`.
  public static var transparentHugePages: String? { OperatingSystem.transparentHugePages() }

  /// The frequency governor of the first processor; nil on most virtual machines, where the host decides.
  public static var cpuGovernor: String? { OperatingSystem.cpuGovernor() }

  /// What the kernel takes the time from, such as `tsc`.
  public static var clockSource: String? { OperatingSystem.clockSource() }

  /// Runnable threads on average over the last minute.
  public static var loadAverage: Double? { OperatingSystem.loadAverage() }

  /// What the control groups of this process leave it of the machine; nil without control groups.
  public static var controlGroupLimits: ControlGroupLimits? { OperatingSystem.controlGroupLimits() }

  /// The volume that holds a file or folder; nil when the path does not exist.
  public static func volume(at path: String) -> Volume? { OperatingSystem.volume(at: path) }
}

/// Limits of a container or service; nil where there is none.
public struct ControlGroupLimits: Sendable, Hashable {
  /// Memory, in bytes.
  public var memoryBytes: Int64?
  /// Processor time per time, in processors.
  public var cpus: Double?

  public init(memoryBytes: Int64?, cpus: Double?) {
    self.memoryBytes = memoryBytes
    self.cpus = cpus
  }
}

/// A mounted file system.
public struct Volume: Sendable, Hashable {
  /// Its kind, such as `ext4`.
  public var fileSystem: String
  /// The options it is mounted with, as the kernel lists them.
  public var options: String
  /// What is mounted, such as `/dev/vda1`.
  public var device: String
  /// Where it is mounted.
  public var mountPoint: String
  /// Bytes that a user without privileges can still write.
  public var freeBytes: Int64

  public init(fileSystem: String, options: String, device: String, mountPoint: String, freeBytes: Int64) {
    self.fileSystem = fileSystem
    self.options = options
    self.device = device
    self.mountPoint = mountPoint
    self.freeBytes = freeBytes
  }
}
