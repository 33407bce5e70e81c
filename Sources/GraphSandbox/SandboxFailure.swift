/// Why a sandbox could not serve.
package struct SandboxFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence for people.
  package let description: String
  /// Whether another program listens on its port.
  package let isPortTaken: Bool

  init(_ description: String, isPortTaken: Bool = false) {
    self.description = description
    self.isPortTaken = isPortTaken
  }
}
