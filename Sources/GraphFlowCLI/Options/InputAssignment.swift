import ArgumentParser

/// `name=value` on the command line, or from a journal.
struct InputAssignment: ExpressibleByArgument, Sendable {
  let name: String
  let value: String

  init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
      return nil
    }
    self.name = String(argument[..<equals])
    self.value = String(argument[argument.index(after: equals)...])
  }
}
