import ArgumentParser

/// The value of an input on the command line: `name=value`, `name=@FILE` or `name=@-`.
struct InputFlag: ExpressibleByArgument, Sendable {
  /// Where a value comes from.
  enum Source: Hashable, Sendable {
    case text(String)
    /// A file, without the line break at its end.
    case file(String)
    /// Standard input, without the line break at its end.
    case standardInput
  }

  let name: String
  let source: Source

  init?(argument: String) {
    guard let assignment = InputAssignment(argument: argument) else { return nil }
    name = assignment.name
    let value = assignment.value
    if value.hasPrefix("@@") {
      source = .text(String(value.dropFirst()))
    } else if value == "@-" {
      source = .standardInput
    } else if value.hasPrefix("@") {
      source = .file(String(value.dropFirst()))
    } else {
      source = .text(value)
    }
  }

  var isOnCommandLine: Bool { if case .text = source { true } else { false } }
  private static let limit = 16 << 20

  /// The content of standard input, which can be read once only, for all workflows of the command.
  private static let standardInput = Result { try FileReading.bytes(of: "-", limit: limit) }

  func value() throws -> String {
    switch source {
    case .text(let text): return text
    case .standardInput: return try text(of: Self.standardInput.get(), from: "standard input")
    case .file(let path):
      guard !path.isEmpty else { throw failure("a file name is missing after @") }
      do {
        return try text(of: FileReading.bytes(of: path, limit: Self.limit), from: "'\(path)'")
      } catch let problem as CommandFailure where problem.status == .unreadable {
        throw failure(problem.message)
      }
    }
  }

  private func text(of bytes: [UInt8], from place: String) throws -> String {
    guard var text = String(validating: bytes, as: UTF8.self) else {
      throw failure("\(place) is not UTF-8")
    }
    if text.last?.isNewline == true { text.removeLast() }
    guard !text.isEmpty else { throw failure("\(place) is empty") }
    return text
  }

  private func failure(_ problem: String) -> CommandFailure {
    CommandFailure(
      .unreadable, "--input \(name): \(problem)",
      hint: "@ takes the value from a file; write @@ for a value that begins with @")
  }
}

/// `name=value` on the command line, or from a journal.
struct InputAssignment: Sendable {
  let name: String
  let value: String
}

extension InputAssignment: ExpressibleByArgument {
  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
      return nil
    }
    let value = String(argument[argument.index(after: equals)...])
    self.init(name: String(argument[..<equals]), value: value)
  }
}
