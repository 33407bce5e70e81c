import ArgumentParser

/// `graphflow init`: writes a first workflow.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Write a first workflow file.",
    discussion: """
      The file holds a small workflow that runs on the sandbox, and the line by which editors find \
      the language's schema beside it. A file that exists is never overwritten.

      Example: a workflow, a run of it, and the schema for editors:

        graphflow init hello
        graphflow run hello.yaml --sandbox
        graphflow schema workflow --write
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
    let error = Terminal.write(PackageResources.first_workflow_yaml, to: descriptor)
    guard close(descriptor) == 0, error == nil else {
      throw CommandFailure(.cannotWrite, "cannot write '\(path)': \(error ?? SystemError.last)")
    }
    Terminal.notify("wrote \(path); try: graphflow run \(path) --sandbox")
    Terminal.notify("for editors: graphflow schema workflow --write")
  }
}
