// Stacks as one line each, the outermost function first: what flame-graph programs read.
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Stacks by the names of their functions, with a weight each.
package enum FoldedStacks {
  /// Names the addresses of stacks of this process and adds up those that read alike.
  ///
  /// - Parameters:
  ///   - stacks: Code addresses, the innermost first, and their weights. They are where calls return to.
  ///   - innermostIsCall: Whether that is true of the innermost too; if not it is where the thread was.
  /// - Returns: Names with semicolons between them, and their weights.
  package static func fold(_ stacks: [[UInt]: Int], innermostIsCall: Bool = false) -> [String: Int] {
    let symbols = CodeSymbols()
    var folded: [String: Int] = [:]
    for (stack, weight) in stacks {
      var names: [String] = []
      for (index, address) in stack.enumerated() {
        // A call that never returns is the last instruction of its function: what it returns to is the next function.
        let name = symbols.name(of: index == 0 && !innermostIsCall ? address : address &- 1)
        // Code without names calls itself through many functions that read alike.
        if name.hasPrefix("["), names.last == name { continue }
        names.append(name)
      }
      folded[names.reversed().joined(separator: ";"), default: 0] += weight
    }
    return folded
  }
}

/// Names the functions of this process, from their addresses and the files of its code.
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

  /// A file of code and its address in memory.
  private struct Image {
    let name: String
    let symbols: FunctionTable?
  }

  /// The function's name, as Swift writes it where it is Swift's; `[libsqlite3.so.0]` where only the file is known.
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
      // Even without the file, the functions that other files may call are known.
      ?? (image.symbols == nil ? info.function.map { String(cString: $0) } : nil)
    guard let mangled else { return "[\(image.name)]" }
    // A semicolon would end the name where stacks are folded.
    return CodeSymbols.demangled(mangled).split(separator: ";").joined(separator: ":")
  }

  private func image(at base: UInt, path: String) -> Image {
    if let image = images[base] { return image }
    let image = Image(
      name: path.split(separator: "/").last.map(String.init) ?? "unknown", symbols: FunctionTable(path: path))
    images[base] = image
    return image
  }

  /// The name that the Swift or the C++ runtime makes of a mangled one; any other name as it is.
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
