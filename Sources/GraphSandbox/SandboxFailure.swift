/// Why a sandbox could not serve.
public struct SandboxFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, for people.
  public let description: String
  /// Whether another program listens on its port.
  public let isPortTaken: Bool

  init(_ description: String, isPortTaken: Bool = false) {
    self.description = description
    self.isPortTaken = isPortTaken
  }
}
