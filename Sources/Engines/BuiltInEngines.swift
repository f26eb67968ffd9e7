// The engines of this package.
public import BatchmarkEngine

/// The engines of this package, for its executable and for users who add their own.
public enum BuiltInEngines {
  public static let all: [any Engine] = [ObjectGraphEngine(), SQLiteEngine(), GRDBEngine()]
}
