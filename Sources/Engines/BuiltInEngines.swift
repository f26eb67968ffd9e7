// The engines this package brings.
public import BatchmarkEngine

/// The engines this package brings, for the executable and for anyone who adds their own beside them.
public enum BuiltInEngines {
  public static let all: [any Engine] = [ObjectGraphEngine(), SQLiteEngine(), GRDBEngine()]
}
