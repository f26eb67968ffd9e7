// A terminal that no one watches, for the output of commands on terminals.
import Foundation
import Synchronization

/// The slave of a pseudo terminal, for a command to write to, and everything that came out of its master.
final class PseudoTerminal: Sendable {
  /// The device that the command opens.
  let path: String
  private let master: Int32
  private let slave: Int32
  private let bytes = Mutex<[UInt8]>([])
  private let isRead = DispatchSemaphore(value: 0)

  /// Returns nil if the system has no pseudo terminals.
  init?(columns: Int) {
    // Do not pass it to other commands: the master reaches its end when the last holder of the slave ends.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard master >= 0, let name = PseudoTerminal.unlockedSlave(of: master) else { return nil }
    path = name
    // Keep it open, because a master without any slave is at its end.
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { return nil }
    var size = winsize(ws_row: 40, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(slave, UInt(TIOCSWINSZ), &size) == 0 else { return nil }
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else { break }
        bytes.withLock { $0 += buffer[..<count] }
      }
      isRead.signal()
    }
  }

  /// Glibc's module has no `ptsname`, so make its requests to the kernel.
  private static func unlockedSlave(of master: Int32) -> String? {
    #if os(Linux)
      let (unlock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
      var (isLocked, number) = (Int32(0), Int32(0))
      guard ioctl(master, unlock, &isLocked) == 0, ioctl(master, getNumber, &number) == 0 else { return nil }
      return "/dev/pts/\(number)"
    #else
      guard grantpt(master) == 0, unlockpt(master) == 0 else { return nil }
      return ptsname(master).map { String(cString: $0) }
    #endif
  }

  /// The first lines of a command that redirect its output here.
  var shellLines: String { "exec >\(path) 2>&1" }

  /// The text written so far.
  var soFar: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

  /// All text, after the command has ended.
  ///
  /// Call it only once.
  func text() -> String {
    close(slave)
    isRead.wait()
    close(master)
    return String(decoding: bytes.withLock { $0 }, as: UTF8.self)
  }
}
