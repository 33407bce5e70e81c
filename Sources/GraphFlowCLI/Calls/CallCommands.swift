import ArgumentParser
import GraphAPI

/// `graphflow get`: one read from the shell.
struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Read from the Graph API.",
    discussion: """
      Prints the body of the answer. Tokens in it are shown as '***'.

      Example: the ids of the latest posts:

        graphflow get me/feed fields=id limit=3 --select '$.data[*].id'
      """)

  @OptionGroup var options: CallOptions

  func run() throws { try SingleCall(.get, options).run() }
}

/// `graphflow post`: one write from the shell.
struct PostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Write to the Graph API.",
    discussion: """
      Prints the body of the answer. If the connection breaks after the request was sent, it is \
      unknown whether it took effect, and the exit code is 3.

      Example:

        graphflow post me/feed message="Hello from the shell" --select '$.id'
      """)

  @OptionGroup var options: CallOptions

  func run() throws { try SingleCall(.post, options).run() }
}

/// `graphflow delete`: one deletion from the shell.
struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete from the Graph API.",
    discussion: """
      Prints the body of the answer.

      Example:

        graphflow delete 123_456
      """)

  @OptionGroup var options: CallOptions

  func run() throws { try SingleCall(.delete, options).run() }
}
