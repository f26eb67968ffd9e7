// The limits of this process's control groups (cgroups(7)), both versions. A limit applies to all groups below it, so
// the lowest one among the ancestors counts.
#if os(Linux)
  extension OperatingSystem {
    static func controlGroupLimits() -> ControlGroupLimits? {
      guard let membership = SystemFile.text("/proc/self/cgroup"),
        let table = SystemFile.text("/proc/self/mountinfo").map(MountTable.init)
      else { return nil }
      let groups = ControlGroups(membership: membership, mounts: table.mounts)
      guard !groups.folders.isEmpty else { return nil }
      return groups.limits(machineMemory: memoryBytes(), read: SystemFile.firstLine)
    }
  }

  /// The folders of a process's groups, innermost first.
  struct ControlGroups {
    let folders: [String]

    /// - Parameters:
    ///   - membership: The text of `/proc/self/cgroup`: lines of `hierarchy:controllers:path`.
    ///   - mounts: Where the hierarchies are mounted.
    init(membership: String, mounts: [MountTable.Mount]) {
      folders = membership.split(separator: "\n").flatMap { line -> [String] in
        let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3 else { return [] }
        let controllers = fields[1].split(separator: ",")
        let mount = mounts.last { mount in
          controllers.isEmpty
            ? mount.fileSystem == "cgroup2"
            : mount.fileSystem == "cgroup"
              && mount.options.split(separator: ",").contains { controllers.contains($0) }
        }
        guard let mount else { return [] }
        return ControlGroups.path(fields[2], upTo: mount.point)
      }
    }

    private static func path(_ group: Substring, upTo root: String) -> [String] {
      var names = group.split(separator: "/")
      var folders: [String] = []
      while !names.isEmpty {
        folders.append(root + "/" + names.joined(separator: "/"))
        names.removeLast()
      }
      return folders + [root]
    }

    /// The lowest of the limits in the folders' files.
    ///
    /// - Parameters:
    ///   - machineMemory: A limit of this size or more counts as none: version 1 writes a huge number for "no limit".
    ///   - read: Returns the first line of a file; `nil` if there is no such file.
    /// - Returns: The limits; `nil` for each that is not set.
    func limits(machineMemory: Int64?, read: (String) -> String?) -> ControlGroupLimits {
      let memory = folders.flatMap { folder in
        ["memory.max", "memory.limit_in_bytes"].compactMap { read("\(folder)/\($0)").flatMap { Int64($0) } }
      }
      let cpus = folders.compactMap { folder -> Double? in
        if let line = read(folder + "/cpu.max") {
          // "quota period" in microseconds, or "max period".
          let numbers = line.split(separator: " ").map { Double($0) }
          return numbers.count == 2 ? ControlGroups.cpus(quota: numbers[0], period: numbers[1]) : nil
        }
        return ControlGroups.cpus(
          quota: read(folder + "/cpu.cfs_quota_us").flatMap { Double($0) },
          period: read(folder + "/cpu.cfs_period_us").flatMap { Double($0) })
      }
      return ControlGroupLimits(
        memoryBytes: memory.filter { $0 < machineMemory ?? .max }.min(), cpus: cpus.min())
    }

    /// Version 1 writes a quota of -1 for "no limit".
    private static func cpus(quota: Double?, period: Double?) -> Double? {
      guard let quota, let period, quota > 0, period > 0 else { return nil }
      return quota / period
    }
  }
#endif
