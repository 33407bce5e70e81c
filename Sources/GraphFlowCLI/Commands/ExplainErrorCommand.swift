import ArgumentParser
import GraphAPI
import JSONPath

/// `graphflow explain-error`: what an error of Graph means, and how it is treated.
struct ExplainErrorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain-error",
    abstract: "Explain an error of Graph: what it means, whether a retry helps and is safe.",
    usage: "graphflow explain-error CODE[/SUBCODE] [--format <format>]",
    discussion: """
      Prints the category, the reason, what to do, the source of each statement, and where Meta's \
      pages, Meta's SDKs and others disagree. Sends nothing. An unknown error is not a \
      failure: the output shows how it would be treated.

      Example: an expired token, and an error of Instagram whose code is negative:

        graphflow explain-error 190/463
        graphflow explain-error -1/2207001
      """)

  // Takes unknown options as well: codes may begin with a hyphen.
  @Argument(
    parsing: .allUnrecognized, help: .value("code", "The code, such as 190, or code and subcode."),
    completion: .errors)
  var errors: [String] = []

  @Option(help: "How to print the explanation.")
  var format: OutputFormat = .text

  func validate() throws {
    let strange = errors.first { $0.hasPrefix("-") && ErrorExplanation($0) == nil }
    if let strange { throw ValidationError("Unknown option '\(strange)'") }
    guard errors.count == 1 else {
      throw ValidationError(
        errors.isEmpty ? "Missing expected argument '<code>'" : "give one error at a time")
    }
  }

  func run() throws {
    guard let word = errors.first, let explanation = ErrorExplanation(word) else {
      throw CommandFailure(
        .usage, "'\(errors.first ?? "")' is not an error code",
        hint: "CODE or CODE/SUBCODE, such as 190 or 190/463")
    }
    switch format {
    case .text: try Terminal.printResult(Array(explanation.text.utf8))
    case .json: try Terminal.printJSON(explanation.json, pretty: true)
    }
  }
}
