import ArgumentParser

/// `name=value` on the command line, or from a journal.
///
/// The value of an input may also be `@FILE` or `@-`, and `@@` begins a value with `@`.
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

extension InputAssignment {
  private static let limit = 16 << 20

  /// The content of standard input, which can be read once only, for all workflows of the command.
  private static let standardInput = Result { try FileReading.bytes(of: "-", limit: limit) }

  var isStandardInput: Bool { value == "@-" }
  var isOnCommandLine: Bool { !value.hasPrefix("@") || value.hasPrefix("@@") }

  /// The value of the input; that of a file or a stream is without the line break at its end.
  func inputValue() throws -> String {
    if isOnCommandLine { return value.hasPrefix("@@") ? String(value.dropFirst()) : value }
    if isStandardInput { return try text(of: Self.standardInput.get(), from: "standard input") }
    let path = String(value.dropFirst())
    guard !path.isEmpty else { throw failure("a file name is missing after @") }
    do {
      return try text(of: FileReading.bytes(of: path, limit: Self.limit), from: "'\(path)'")
    } catch let problem as CommandFailure where problem.status == .unreadable {
      throw failure(problem.message)
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
