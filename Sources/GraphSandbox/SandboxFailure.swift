/// Why a sandbox could not serve.
public struct SandboxFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence for people.
  public let description: String

  init(_ description: String) { self.description = description }
}
