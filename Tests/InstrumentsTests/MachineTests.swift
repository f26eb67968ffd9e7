// Facts about the machine: of this one, and parsed from texts of others.
#if os(Linux)
  import Foundation
  import MissionTags
  import Testing

  @testable import Instruments

  @Suite("A2 · the environment record", .tags(.a2))
  struct MachineTests {
    @Test("This machine's facts agree with what Foundation says")
    func thisMachine() throws {
      #expect(Machine.logicalCPUs == ProcessInfo.processInfo.activeProcessorCount)
      #expect(Machine.memoryBytes == Int64(ProcessInfo.processInfo.physicalMemory))
      #expect(try #require(Machine.kernel).hasPrefix("Linux "))
      #expect(try #require(Machine.loadAverage) >= 0)
      if let pages = Machine.transparentHugePages { #expect(["always", "madvise", "never"].contains(pages)) }
      for fact in [Machine.cpuModel, Machine.operatingSystem, Machine.cpuGovernor, Machine.clockSource] {
        #expect(fact?.isEmpty != true)
      }
    }

    @Test("A path's volume has the free space that the file manager finds")
    func volume() throws {
      let folder = FileManager.default.temporaryDirectory.path
      let volume = try #require(Machine.volume(at: folder))
      #expect(!volume.fileSystem.isEmpty && !volume.options.isEmpty)
      #expect(volume.freeBytes > 0)
      #expect(Machine.volume(at: "/proc")?.fileSystem == "proc")
      #expect(Machine.volume(at: folder + "/no/such/folder") == nil)
    }

    @Test("A path's longest mount point is used, and the later one of equal ones")
    func mounts() {
      let table = MountTable(
        """
        21 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
        22 21 0:21 / /data rw,noatime - xfs /dev/vdb rw,attr2
        23 21 0:22 / /data rw,nosuid master:2 propagate_from:1 - tmpfs tmpfs rw,size=4k
        24 21 0:23 /sub /my\\040disk\\134 ro - btrfs /dev/disk\\0401
        not a line
        """)
      #expect(table.mounts.count == 4)
      #expect(
        table.mount(of: "/home/x")
          == MountTable.Mount(point: "/", fileSystem: "ext4", device: "/dev/vda", options: "rw,relatime,discard"))
      #expect(table.mount(of: "/data")?.fileSystem == "tmpfs")
      #expect(table.mount(of: "/data/x")?.options == "rw,nosuid,size=4k")
      #expect(table.mount(of: "/database")?.fileSystem == "ext4")
      #expect(table.mount(of: "/my disk\\/x")?.device == "/dev/disk 1")
      #expect(MountTable("").mount(of: "/") == nil)
    }

    @Test("In control groups of version 2, the least limit on the way up counts")
    func controlGroups2() {
      let groups = ControlGroups(
        membership: "0::/app/worker\n",
        mounts: [.init(point: "/sys/fs/cgroup", fileSystem: "cgroup2", device: "cgroup2", options: "rw")])
      #expect(groups.folders == ["/sys/fs/cgroup/app/worker", "/sys/fs/cgroup/app", "/sys/fs/cgroup"])
      let files = [
        "/sys/fs/cgroup/app/worker/memory.max": "max", "/sys/fs/cgroup/app/memory.max": "1073741824",
        "/sys/fs/cgroup/app/worker/cpu.max": "150000 100000", "/sys/fs/cgroup/app/cpu.max": "max 100000",
      ]
      let limits = groups.limits(machineMemory: 8 << 30) { files[$0] }
      #expect(limits == ControlGroupLimits(memoryBytes: 1 << 30, cpus: 1.5))
      #expect(
        groups.limits(machineMemory: 1 << 30) { _ in nil } == ControlGroupLimits(memoryBytes: nil, cpus: nil))
    }

    @Test("In control groups of version 1, huge and negative numbers mean no limit")
    func controlGroups1() {
      let groups = ControlGroups(
        membership: "4:memory:/box\n2:cpu,cpuacct:/\n1:name=systemd:/\nrubbish\n",
        mounts: [
          .init(point: "/sys/fs/cgroup/memory", fileSystem: "cgroup", device: "cgroup", options: "rw,memory"),
          .init(point: "/sys/fs/cgroup/cpu", fileSystem: "cgroup", device: "cgroup", options: "rw,cpu,cpuacct"),
        ])
      #expect(groups.folders == ["/sys/fs/cgroup/memory/box", "/sys/fs/cgroup/memory", "/sys/fs/cgroup/cpu"])
      var files = [
        "/sys/fs/cgroup/memory/box/memory.limit_in_bytes": "9223372036854771712",
        "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1", "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000",
      ]
      #expect(
        groups.limits(machineMemory: 8 << 30) { files[$0] } == ControlGroupLimits(memoryBytes: nil, cpus: nil))
      files["/sys/fs/cgroup/memory/box/memory.limit_in_bytes"] = "524288000"
      files["/sys/fs/cgroup/cpu/cpu.cfs_quota_us"] = "50000"
      #expect(
        groups.limits(machineMemory: 8 << 30) { files[$0] }
          == ControlGroupLimits(memoryBytes: 524_288_000, cpus: 0.5))
    }

    @Test("Values are read from the kernel's and the distribution's files")
    func values() {
      #expect(OperatingSystem.chosen(of: "always [madvise] never") == "madvise")
      #expect(OperatingSystem.chosen(of: "always") == nil)
      #expect(OperatingSystem.prettyName(in: "NAME=\"X\"\nPRETTY_NAME=\"X Linux 1 (y)\"\n") == "X Linux 1 (y)")
      #expect(OperatingSystem.prettyName(in: "PRETTY_NAME=Plain") == "Plain")
      #expect(OperatingSystem.prettyName(in: "NAME=X") == nil)
      #expect(
        SystemFile.value(of: "model name", in: "a : b\nmodel name\t: A CPU: fast \n", separator: ":") == "A CPU: fast")
      #expect(SystemFile.firstLine("/no/such/file") == nil)
      #expect(!SystemFile.write("5", to: "/no/such/file"))
    }
  }
#endif
