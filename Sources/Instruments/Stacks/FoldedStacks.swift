// Stacks as one line each, the outermost function first, as flame graph programs read them.
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Stacks as function names, each with a weight.
package enum FoldedStacks {
  /// Names the addresses in stacks of this process and adds up equal stacks.
  ///
  /// - Parameters:
  ///   - stacks: Code addresses with their weights, the innermost first. They are return addresses.
  ///   - innermostIsCall: Whether the innermost address is a return address, too; otherwise it is where the thread was.
  /// - Returns: Names separated by semicolons, and their weights.
  package static func fold(_ stacks: [[UInt]: Int], innermostIsCall: Bool = false) -> [String: Int] {
    let symbols = CodeSymbols()
    var folded: [String: Int] = [:]
    for (stack, weight) in stacks {
      var names: [String] = []
      for (index, address) in stack.enumerated() {
        // Look up the call itself: a call that never returns is a function's last instruction, and its return address
        // belongs to the next function.
        let name = symbols.name(of: index == 0 && !innermostIsCall ? address : address &- 1)
        // Merge consecutive unnamed functions, which would look the same.
        if name.hasPrefix("["), names.last == name { continue }
        names.append(name)
      }
      folded[names.reversed().joined(separator: ";"), default: 0] += weight
    }
    return folded
  }
}

/// Names functions of this process by their addresses, using the files of its code.
final class CodeSymbols {
  private var names: [UInt: String] = [:]
  private var images: [UInt: Image] = [:]

  /// `dladdr`, which Swift does not import on Linux.
  private let findPlace = DynamicSymbol.address("dladdr").map {
    unsafeBitCast($0, to: (@convention(c) (UInt, UnsafeMutableRawPointer) -> Int32).self)
  }

  /// `Dl_info` (dladdr(3)).
  private struct Place {
    var file: UnsafePointer<CChar>?
    var base: UnsafeMutableRawPointer?
    var function: UnsafePointer<CChar>?
    var start: UnsafeMutableRawPointer?
  }

  /// A code file and its address in memory.
  private struct Image {
    let name: String
    let symbols: FunctionTable?
  }

  /// The function's name, demangled if it is Swift's or C++'s; `[libsqlite3.so.0]` if only the file is known.
  func name(of address: UInt) -> String {
    if let name = names[address] { return name }
    let name = findName(of: address)
    names[address] = name
    return name
  }

  private func findName(of address: UInt) -> String {
    var info = Place()
    guard let findPlace, findPlace(address, &info) != 0, let base = info.base.map({ UInt(bitPattern: $0) }) else {
      return "[unknown]"
    }
    let image = image(at: base, path: info.file.map { String(cString: $0) } ?? "")
    let mangled =
      image.symbols?.name(at: address, imageBase: base)
      // Without the file, the exported functions are still known.
      ?? (image.symbols == nil ? info.function.map { String(cString: $0) } : nil)
    guard let mangled else { return "[\(image.name)]" }
    // A semicolon would end the name in a folded stack.
    return CodeSymbols.demangled(mangled).split(separator: ";").joined(separator: ":")
  }

  private func image(at base: UInt, path: String) -> Image {
    if let image = images[base] { return image }
    let image = Image(
      name: path.split(separator: "/").last.map(String.init) ?? "unknown", symbols: FunctionTable(path: path))
    images[base] = image
    return image
  }

  /// The name that the Swift or C++ runtime makes from a mangled one; any other name unchanged.
  private static func demangled(_ name: String) -> String {
    if name.hasPrefix("_Z") { return demangledFromCPlusPlus(name) }
    typealias Demangle =
      @convention(c) (
        UnsafePointer<CChar>, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
      ) -> UnsafeMutablePointer<CChar>?
    guard name.hasPrefix("$s"), let address = DynamicSymbol.address("swift_demangle"),
      let text = unsafeBitCast(address, to: Demangle.self)(name, name.utf8.count, nil, nil, 0)
    else { return name }
    defer { free(text) }
    return String(cString: text)
  }

  private static func demangledFromCPlusPlus(_ name: String) -> String {
    typealias Demangle =
      @convention(c) (
        UnsafePointer<CChar>, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<Int32>?
      ) -> UnsafeMutablePointer<CChar>?
    guard let address = DynamicSymbol.address("__cxa_demangle"),
      let text = unsafeBitCast(address, to: Demangle.self)(name, nil, nil, nil)
    else { return name }
    defer { free(text) }
    return String(cString: text)
  }
}
