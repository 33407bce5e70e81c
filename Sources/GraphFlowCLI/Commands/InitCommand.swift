import ArgumentParser

/// `graphflow init`: writes a first workflow.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Write a first workflow file.",
    discussion: """
      The file holds a small workflow that runs on the sandbox, and the line by which editors find \
      the language's schema. A file that exists is never overwritten.

      Example:

        graphflow init hello
        graphflow run hello.yaml --sandbox
      """)

  @Argument(help: "The workflow's name; the file is NAME.yaml in the current folder.")
  var name = "first-workflow"

  func validate() throws {
    guard !name.isEmpty, !name.hasPrefix("-"), !name.hasPrefix("."),
      name.unicodeScalars.allSatisfy({ scalar in
        scalar.isASCII
          && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            || "-_.".unicodeScalars.contains(scalar))
      })
    else { throw ValidationError("'\(name)' is not a name: use letters, digits, '-', '_' and '.'") }
  }

  func run() throws {
    let path = name.hasSuffix(".yaml") || name.hasSuffix(".yml") ? name : name + ".yaml"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let error = SystemError.last
      throw error.number == EEXIST
        ? CommandFailure(.cannotCreate, "'\(path)' exists already and is not overwritten")
        : CommandFailure(.cannotCreate, "cannot create '\(path)': \(error)")
    }
    let error = Terminal.write(Array(FirstWorkflow.text.utf8), to: descriptor)
    guard close(descriptor) == 0, error == nil else {
      throw CommandFailure(.cannotWrite, "cannot write '\(path)': \(error ?? SystemError.last)")
    }
    Terminal.notify("wrote \(path); try: graphflow run \(path) --sandbox")
  }
}

/// The workflow that `graphflow init` writes.
enum FirstWorkflow {
  static let text = """
    # yaml-language-server: $schema=https://graphflow.dev/schemas/workflow-1.json
    #
    # A first workflow. Check it, print its plan, and run it without an account:
    #
    #   graphflow validate FILE
    #   graphflow plan FILE
    #   graphflow run FILE --sandbox --input message="Hello"
    #
    graphflow: 1
    description: Publish a status, read it back, and check that it says what it should.

    inputs:
      message:
        type: string
        description: What to publish
        default: Hello

    requests:
      # get, post or delete is the method, and its value the path, as in Graph's documentation.
      status-post:
        post: me/feed
        params:
          message: "{input=message}"
        # If its answer is lost, it is not sent a second time.
        idempotent: false

      # A reference makes this request wait for the other one. Both still share one call.
      read-back:
        get: "{result=status-post:$.id}"
        params:
          fields: id,message
        expect:
          - "$.message == {input=message}"

    outputs:
      post_id: "{result=status-post:$.id}"

    """
}
