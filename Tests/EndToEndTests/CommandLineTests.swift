import Testing

/// Slips on the command line.
struct CommandLineTests {
  private let graphflow: GraphFlow

  init() throws { graphflow = try GraphFlow() }

  @Test(arguments: [
    (["runn", "a.yaml"], "there is no command 'runn'", "did you mean 'run'?"),
    (["Validate"], "there is no command 'Validate'", "did you mean 'validate'?"),
    (["help", "plna"], "there is no command 'plna'", "did you mean 'plan'?"),
    (["frobnicate"], "there is no command 'frobnicate'", "`graphflow --help` lists the commands"),
    (["a.yaml"], "there is no command 'a.yaml'", "to run a workflow: graphflow run a.yaml"),
    (["bensh"], "there is no command 'bensh'", "`graphflow --help` lists the commands"),
  ])
  func `an unknown command gets the nearest one`(
    _ arguments: [String],
    _ message: String,
    _ hint: String
  ) throws {
    let outcome = try graphflow.run(arguments)

    #expect(outcome.error == "error: \(message)\n  \(hint)\n")
    #expect(outcome.output == "")
    #expect(outcome.code == 64)
  }

  @Test(arguments: [
    (["run", "--sandbx", "a.yaml"], "--sandbox"), (["validate", "--formt", "json"], "--format"),
    (["plan", "--batchsize", "3", "a.yaml"], "--batch-size"),
  ])
  func `an unknown option gets the nearest one`(_ arguments: [String], _ nearest: String) throws {
    let outcome = try graphflow.run(arguments)

    #expect(outcome.error.contains("Did you mean '\(nearest)'?"), "\(outcome.error)")
    #expect(outcome.code == 64)
  }

  @Test func `no command at all is a question for help`() throws {
    #expect(try graphflow.run([]).output == graphflow("--help").output)
    #expect(try graphflow("help", "run").output == graphflow("run", "--help").output)
  }
}
