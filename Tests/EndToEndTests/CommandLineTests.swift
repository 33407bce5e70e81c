import CommandHarness
import Testing

/// Typos and misuse on the command line.
struct CommandLineTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @Test(arguments: [
    (["runn", "a.yaml"], "unknown command 'runn'", "did you mean 'run'?"),
    (["Validate"], "unknown command 'Validate'", "did you mean 'validate'?"),
    (["help", "plna"], "unknown command 'plna'", "did you mean 'plan'?"),
    (["frobnicate"], "unknown command 'frobnicate'", "`graphflow --help` lists the commands"),
    (["a.yaml"], "unknown command 'a.yaml'", "to run a workflow: graphflow run a.yaml"),
    (["bensh"], "unknown command 'bensh'", "`graphflow --help` lists the commands"),
  ])
  func `an unknown command suggests the nearest one`(
    _ arguments: [String], _ message: String, _ hint: String
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
  func `an unknown option suggests the nearest one`(_ arguments: [String], _ nearest: String) throws
  {
    let outcome = try graphflow.run(arguments)

    #expect(outcome.error.contains("Did you mean '\(nearest)'?"), "\(outcome.error)")
    #expect(outcome.code == 64)
  }

  @Test(arguments: [
    ["run", "a.yaml", "--report", "r.json", "--nonsense", "x"],
    ["run", "a.yaml", "--nonsense", "x", "--plan", "p.json"],
    ["run", "--nonsense", "-", "a.yaml", "--run-key", "k"],
  ])
  func `the value of an unknown option is not read as a file`(_ arguments: [String]) throws {
    let outcome = try graphflow.run(arguments)

    #expect(outcome.error.hasPrefix("error: Unknown option '--nonsense'\n"), "\(outcome.error)")
    #expect(outcome.code == 64)
  }

  static let meanings: [(words: [String], advice: String)] = [
    (["run", "a.yaml", "--json"], "did you mean --report -?"),
    (["plan", "a.yaml", "--json"], "did you mean --format json?"),
    (["runs", "list", "--json"], "did you mean --format json?"),
    (["get", "me", "--json"], "--log-format json makes a line of JSON of each message"),
    (["run", "a.yaml", "--token", "x"], "the token comes from graphflow login"),
    (["run", "a.yaml", "--parallel=3"], "did you mean --concurrency?"),
    (["run", "a.yaml", "--retries", "3"], "the file has it: `retry`"),
  ]

  @Test(arguments: meanings)
  func `an option of other tools gets what it means here`(
    words: [String], advice: String
  ) throws {
    let outcome = try graphflow.run(words)

    #expect(outcome.code == 64)
    let lines = outcome.error.split(separator: "\n")
    #expect(lines[0].hasPrefix("error: Unknown option '--") && lines[0].hasSuffix("'"))
    #expect(lines[1].hasPrefix("  \(advice)"), "\(outcome.error)")
  }

  @Test(arguments: [["--report", "r.json"], ["--plan", "p.json"]])
  func `options for one file are refused for two`(_ options: [String]) throws {
    let outcome = try graphflow.run(["run", "a.yaml", "b.yaml"] + options)

    #expect(outcome.error.contains("workflow"), "\(outcome.error)")
    #expect(outcome.code == 64)
  }

  @Test func `an input is unknown only if no file declares it`() throws {
    for name in ["one", "two"] {
      try graphflow.folder.write(
        "graphflow: 1\ninputs:\n  \(name): string\nrequests:\n  a: {get: me}\n", to: "\(name).yaml")
    }
    let files = ["one", "two"].map { graphflow.folder.path + "/\($0).yaml" }
    try graphflow.folder.write("one: 1st\ntwo: 2nd\n", to: "inputs.yaml")
    let words = ["run"] + files + ["--sandbox", "--quiet"]

    let flags = try graphflow.run(words + ["--input", "one=1", "--input", "two=2"])
    let file = try graphflow.run(words + ["--inputs", graphflow.folder.path + "/inputs.yaml"])
    let unknown = try graphflow.run(
      words + ["--input", "one=1", "--input", "two=2", "--input", "three=3"])
    let missing = try graphflow.run(words + ["--input", "one=1"])

    #expect([flags.code, file.code] == [0, 0], "\(flags.error)\(file.error)")
    #expect([unknown.code, missing.code] == [65, 65])
    #expect(unknown.error.contains("input 'three' (from --input) is unknown; its inputs are one"))
    #expect(!missing.error.contains("unknown"), "\(missing.error)")
  }

  @Test func `the help of a command is the same before and after its name`() throws {
    #expect(try graphflow("help", "run").output == graphflow("run", "--help").output)
  }
}
