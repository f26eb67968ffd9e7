// Address randomization on Linux: `personality(2)` switches it off for the process's next image.
#if os(Linux)
  internal import Glibc

  extension OperatingSystem {
    /// ADDR_NO_RANDOMIZE of `<sys/personality.h>`.
    private static let noRandomization: UInt = 0x004_0000
    /// Reads the personality instead of setting it.
    private static let query: UInt = 0xffff_ffff

    static func addressesAreFixed() -> Bool {
      if let current = personality(query), UInt(bitPattern: Int(current)) & noRandomization != 0 { return true }
      return SystemFile.firstLine("/proc/sys/kernel/randomize_va_space") == "0"
    }

    /// Restarts with fixed addresses; returns only on failure, with the reason.
    static func reexecuteWithFixedAddresses(marker: String) -> String {
      guard getenv(marker) == nil else {
        return "the process was restarted and randomization is still on; expected the kernel to honour personality(2)"
      }
      guard let current = personality(query), personality(UInt(bitPattern: Int(current)) | noRandomization) != nil
      else {
        return "personality(2) is not permitted here (error number \(errno)); a container allows it with "
          + "--security-opt seccomp=unconfined"
      }
      setenv(marker, "1", 1)
      execv("/proc/self/exe", CommandLine.unsafeArgv)
      let number = errno
      unsetenv(marker)
      _ = personality(UInt(bitPattern: Int(current)))
      return "the executable could not be restarted (error number \(number))"
    }

    /// `personality(2)`, which Swift's C library module does not declare; `nil` if it fails.
    private static func personality(_ persona: UInt) -> Int32? {
      guard let symbol = DynamicSymbol.address("personality") else { return nil }
      let previous = unsafeBitCast(symbol, to: (@convention(c) (UInt) -> Int32).self)(persona)
      return previous == -1 ? nil : previous
    }
  }
#endif
