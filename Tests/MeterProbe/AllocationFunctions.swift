// The allocation functions by name, like every library of the process finds them. Calls use pointers, so that no
// optimizer can remove a block that is freed again, and so that functions without a Swift import can be called.
#if os(Linux)
  internal import Glibc

  let libc: AllocationFunctions = {
    guard let functions = AllocationFunctions() else { fail("an allocation function is missing", status: 70) }
    return functions
  }()

  struct AllocationFunctions: Sendable {
    typealias Pointer = UnsafeMutableRawPointer

    let malloc: @convention(c) (Int) -> Pointer?
    let calloc: @convention(c) (Int, Int) -> Pointer?
    let realloc: @convention(c) (Pointer?, Int) -> Pointer?
    let reallocarray: @convention(c) (Pointer?, Int, Int) -> Pointer?
    let free: @convention(c) (Pointer?) -> Void
    let freeSized: @convention(c) (Pointer?, Int) -> Void
    let freeAlignedSized: @convention(c) (Pointer?, Int, Int) -> Void
    let posixMemalign: @convention(c) (UnsafeMutablePointer<Pointer?>, Int, Int) -> Int32
    let alignedAlloc: @convention(c) (Int, Int) -> Pointer?
    let memalign: @convention(c) (Int, Int) -> Pointer?
    let valloc: @convention(c) (Int) -> Pointer?
    let pvalloc: @convention(c) (Int) -> Pointer?
    let usableSize: @convention(c) (Pointer?) -> Int
    let operatorNew: @convention(c) (Int) -> Pointer?
    let operatorNewAligned: @convention(c) (Int, Int) -> Pointer?
    let operatorDelete: @convention(c) (Pointer?) -> Void
    let operatorDeleteAligned: @convention(c) (Pointer?, Int, Int) -> Void

    /// Writes to every byte of a block.
    func fill(_ block: Pointer?, _ byte: UInt8, bytes: Int) {
      block?.initializeMemory(as: UInt8.self, repeating: byte, count: bytes)
    }

    init?() {
      func find<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: type) }
      }
      // The C23 functions and the meter's own ones exist only with the meter.
      let ignore: @convention(c) (Pointer?, Int) -> Void = { _, _ in }
      let ignoreAligned: @convention(c) (Pointer?, Int, Int) -> Void = { _, _, _ in }
      guard let malloc = find("malloc", as: (@convention(c) (Int) -> Pointer?).self),
        let calloc = find("calloc", as: (@convention(c) (Int, Int) -> Pointer?).self),
        let realloc = find("realloc", as: (@convention(c) (Pointer?, Int) -> Pointer?).self),
        let reallocarray = find("reallocarray", as: (@convention(c) (Pointer?, Int, Int) -> Pointer?).self),
        let free = find("free", as: (@convention(c) (Pointer?) -> Void).self),
        let posixMemalign = find(
          "posix_memalign", as: (@convention(c) (UnsafeMutablePointer<Pointer?>, Int, Int) -> Int32).self),
        let alignedAlloc = find("aligned_alloc", as: (@convention(c) (Int, Int) -> Pointer?).self),
        let memalign = find("memalign", as: (@convention(c) (Int, Int) -> Pointer?).self),
        let valloc = find("valloc", as: (@convention(c) (Int) -> Pointer?).self),
        let pvalloc = find("pvalloc", as: (@convention(c) (Int) -> Pointer?).self),
        let usableSize = find("malloc_usable_size", as: (@convention(c) (Pointer?) -> Int).self),
        let operatorNew = find("_Znwm", as: (@convention(c) (Int) -> Pointer?).self),
        let operatorNewAligned = find("_ZnwmSt11align_val_t", as: (@convention(c) (Int, Int) -> Pointer?).self),
        let operatorDelete = find("_ZdlPv", as: (@convention(c) (Pointer?) -> Void).self),
        let operatorDeleteAligned = find(
          "_ZdlPvmSt11align_val_t", as: (@convention(c) (Pointer?, Int, Int) -> Void).self)
      else { return nil }
      self.malloc = malloc
      self.calloc = calloc
      self.realloc = realloc
      self.reallocarray = reallocarray
      self.free = free
      freeSized = find("free_sized", as: (@convention(c) (Pointer?, Int) -> Void).self) ?? ignore
      freeAlignedSized =
        find("free_aligned_sized", as: (@convention(c) (Pointer?, Int, Int) -> Void).self) ?? ignoreAligned
      self.posixMemalign = posixMemalign
      self.alignedAlloc = alignedAlloc
      self.memalign = memalign
      self.valloc = valloc
      self.pvalloc = pvalloc
      self.usableSize = usableSize
      self.operatorNew = operatorNew
      self.operatorNewAligned = operatorNewAligned
      self.operatorDelete = operatorDelete
      self.operatorDeleteAligned = operatorDeleteAligned
    }
  }
#endif
