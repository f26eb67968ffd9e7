// The steps of a random program. Objects are chosen by number among those that the program holds, so that a program
// still works if steps are removed.
import CoreDataModel
import ObjectGraph

/// An action in one of a program's contexts.
struct ProgramStep: CustomStringConvertible {
  enum Action {
    case insert(entity: String, code: Int?, value: Int)
    case set(UInt32, key: String, Int)
    /// Gives an object the code of another one's row, and a new value.
    case takeCode(UInt32, of: UInt32, value: Int)
    /// A to-one relationship, by its position among those of the object's entity.
    case link(UInt32, relationship: UInt32, to: UInt32?)
    case add(UInt32, relationship: UInt32, UInt32)
    case remove(UInt32, relationship: UInt32, UInt32)
    case replace(UInt32, relationship: UInt32, [UInt32])
    case delete(UInt32)
    /// A thorough save compares everything before and after if it fails.
    case save(isThorough: Bool)
    case rollback
    case reset
    case refresh(UInt32, mergeChanges: Bool)
    case refreshAll
    /// Merges what others have stored since the last time.
    case merge
    case fetch(entity: String)
    case batchInsert(entity: String, codes: [Int], value: Int)
    case batchUpdate(entity: String, below: Int, value: Int)
    case batchDelete(entity: String, below: Int)
    case batchDeleteObject(UInt32)
    case policy(MergePolicy.MergeType)
    /// Sets an attribute of the object of a row. Rows are chosen among the stored ones, so they are the same in every
    /// context.
    case contend(row: UInt32, key: String, Int)
    /// The same for an item's group.
    case contendLink(row: UInt32, to: UInt32)
    case contendDelete(row: UInt32)
    /// Moves an object of an ordered relationship, or adds one, to any position.
    case move(UInt32, relationship: UInt32, UInt32, to: UInt32)
    /// Sets a value of a row's object that no save accepts.
    case spoil(row: UInt32, Int)
    /// Cancels one of the unsaved deletions.
    case takeBack(UInt32)
  }

  let context: Int
  let action: Action

  var description: String { "context \(context): \(action)" }
}

/// The contexts of a program, with the coordinator or parent of each.
struct ProgramContexts: CustomStringConvertible {
  enum Kind { case first, second, child(of: Int) }

  let kinds: [Kind]

  static let all: [ProgramContexts] = [
    .init(kinds: [.first]), .init(kinds: [.first, .first]), .init(kinds: [.first, .second]),
    .init(kinds: [.first, .first, .second]), .init(kinds: [.first, .child(of: 0)]),
    .init(kinds: [.first, .child(of: 0), .first]), .init(kinds: [.first, .child(of: 0), .child(of: 1)]),
    .init(kinds: [.first, .child(of: 0), .child(of: 1), .child(of: 2)]),
  ]

  var description: String { "\(kinds)" }

  /// A context, its parent, and so on.
  func line(from index: Int) -> [Int] {
    if case .child(let parent) = kinds[index] { return [index] + line(from: parent) }
    return [index]
  }
}

/// Makes the steps of a program.
struct ProgramSteps {
  var random: SeededGenerator
  let contexts: ProgramContexts
  /// Values and notes are never repeated, so nothing is set back to its old value.
  private var lastValue = 0
  private static let entities = ["Item", "Item", "Item", "Special", "Group", "Chapter", "Tag"]

  init(seed: UInt64, _ contexts: ProgramContexts) {
    random = SeededGenerator(seed: seed)
    self.contexts = contexts
  }

  /// Steps that store a few related objects; afterwards every context holds all or most of them.
  mutating func prologue(fetchesAll: Bool = false) -> [ProgramStep] {
    var steps = ["Item", "Group", "Item", "Special", "Chapter", "Tag", "Item"].map { entity in
      ProgramStep(context: 0, action: .insert(entity: entity, code: code(), value: value()))
    }
    for _ in 0..<5 {
      steps.append(ProgramStep(context: 0, action: .link(number(), relationship: number(), to: number())))
    }
    for _ in 0..<3 {
      steps.append(ProgramStep(context: 0, action: .add(number(), relationship: number(), number())))
    }
    steps.append(ProgramStep(context: 0, action: .save(isThorough: false)))
    for context in contexts.kinds.indices {
      steps.append(ProgramStep(context: context, action: .merge))
      for entity in ["Item", "Group", "Chapter", "Tag"] where fetchesAll || !random.chance(4) {
        steps.append(ProgramStep(context: context, action: .fetch(entity: entity)))
      }
    }
    return steps
  }

  mutating func next() -> ProgramStep { next(in: Int.random(in: 0..<contexts.kinds.count, using: &random)) }

  mutating func next(in context: Int) -> ProgramStep { ProgramStep(context: context, action: action(context)) }

  /// Steps in which contexts that know everything stored take others' codes, with each policy.
  mutating func epilogue() -> [ProgramStep] {
    var steps: [ProgramStep] = []
    for type in MergePolicy.MergeType.allCases {
      let context = Int.random(in: 0..<contexts.kinds.count, using: &random)
      let line = contexts.line(from: context)
      for context in line.reversed() {
        steps.append(ProgramStep(context: context, action: .merge))
        steps.append(ProgramStep(context: context, action: .policy(type)))
      }
      steps.append(ProgramStep(context: context, action: .takeCode(number(), of: number(), value: value())))
      for context in line {
        steps.append(ProgramStep(context: context, action: .save(isThorough: random.chance(3))))
      }
    }
    return steps
  }

  mutating func number() -> UInt32 { UInt32.random(in: 0..<1 << 16, using: &random) }

  mutating func value() -> Int {
    lastValue += 1
    return lastValue
  }

  private mutating func code() -> Int? { random.chance(4) ? nil : Int.random(in: 0..<4, using: &random) }

  private mutating func action(_ context: Int) -> ProgramStep.Action {
    var isChild = false
    if case .child = contexts.kinds[context] { isChild = true }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<11: return .insert(entity: random.pick(Self.entities), code: code(), value: value())
    case 11..<22: return .set(number(), key: random.pick(["value", "note", "code"]), value())
    case 22..<27: return .set(number(), key: "code", Int.random(in: 0..<4, using: &random))
    case 27..<42: return .link(number(), relationship: number(), to: random.chance(4) ? nil : number())
    case 42..<50: return .add(number(), relationship: number(), number())
    case 50..<53: return .remove(number(), relationship: number(), number())
    case 53..<56: return .replace(number(), relationship: number(), [number(), number()])
    case 56..<64: return .delete(number())
    case 64..<79: return .save(isThorough: random.chance(3))
    case 79: return .rollback
    case 80: return .reset
    case 81..<83: return .refresh(number(), mergeChanges: random.chance(2))
    case 83: return .refreshAll
    case 84..<88: return .merge
    case 88..<93: return .fetch(entity: random.pick(Self.entities))
    case 93:
      return isChild
        ? .merge
        : .batchInsert(entity: random.pick(["Item", "Special", "Group", "Tag"]), codes: codes(), value: value())
    case 94:
      return .batchUpdate(
        entity: random.pick(Self.entities), below: Int.random(in: 0...lastValue, using: &random), value: value())
    case 95:
      return .batchDelete(entity: random.pick(Self.entities), below: Int.random(in: 0...lastValue, using: &random))
    case 96: return .batchDeleteObject(number())
    default: return .policy(random.pick(MergePolicy.MergeType.allCases))
    }
  }

  private mutating func codes() -> [Int] { (0..<2).map { _ in Int.random(in: 0..<4, using: &random) } }
}
