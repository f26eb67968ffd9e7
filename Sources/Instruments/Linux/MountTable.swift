// Finds the file system of a path: /proc/self/mountinfo (proc_pid_mountinfo(5)).
#if os(Linux)
  internal import Glibc

  extension OperatingSystem {
    static func volume(at path: String) -> Volume? {
      guard let table = SystemFile.text("/proc/self/mountinfo").map(MountTable.init),
        let resolved = realpath(path, nil)
      else { return nil }
      defer { free(resolved) }
      var space = statvfs()
      guard statvfs(resolved, &space) == 0, let mount = table.mount(of: String(cString: resolved)) else { return nil }
      return Volume(
        fileSystem: mount.fileSystem, options: mount.options, device: mount.device,
        freeBytes: Int64(clamping: UInt64(space.f_bavail) * UInt64(space.f_frsize)))
    }
  }

  /// The mounted file systems, in the order in which they were mounted.
  struct MountTable {
    struct Mount: Equatable {
      var point: String
      var fileSystem: String
      var device: String
      var options: String
    }

    let mounts: [Mount]

    init(_ text: String) {
      mounts = text.split(separator: "\n").compactMap(MountTable.mount)
    }

    /// The mount that contains an absolute path without symbolic links: the longest mount point above it.
    ///
    /// Of equal ones, the later mount hides the earlier one.
    func mount(of path: String) -> Mount? {
      var best: Mount?
      for mount in mounts where MountTable.leads(mount.point, to: path) {
        if mount.point.utf8.count >= best?.point.utf8.count ?? 0 { best = mount }
      }
      return best
    }

    private static func leads(_ point: String, to path: String) -> Bool {
      point == "/" || path == point || path.hasPrefix(point + "/")
    }

    // id parent major:minor root point options [tag]... - type device superoptions
    private static func mount(_ line: Substring) -> Mount? {
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count >= dash + 3 else { return nil }
      // Options of the mount and of the file system may be duplicates ("rw").
      var options = fields[5].split(separator: ",")
      if fields.count > dash + 3 {
        options += fields[dash + 3].split(separator: ",").filter { !options.contains($0) }
      }
      return Mount(
        point: unescaped(fields[4]), fileSystem: unescaped(fields[dash + 1]), device: unescaped(fields[dash + 2]),
        options: options.joined(separator: ","))
    }

    /// The kernel writes space, tab, newline and backslash as octal escapes such as `\040`.
    private static func unescaped(_ field: Substring) -> String {
      var bytes: [UInt8] = []
      var rest = field.utf8[...]
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\\"), rest.count >= 3, let code = UInt8(Substring(rest.prefix(3)), radix: 8) {
          bytes.append(code)
          rest = rest.dropFirst(3)
        } else {
          bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
#endif
