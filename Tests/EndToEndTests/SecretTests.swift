import CommandHarness
import TestSupport
import Testing

/// A token never appears in a stream or a file, in any form.
struct SecretTests {
  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    let graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    self.graphflow = graphflow
  }

  @Test func `no token appears in any output or file of the state directory`() throws {
    let leaky = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        pages:
          get: me/accounts
        wrong:
          get: "{result=pages:$.data[0].id}"
          token: "{result=pages:$.data[0].access_token}"
          params: {fields: nothing}
        paged:
          get: me/feed
          params: {limit: 1}
        echo:
          get: debug_token
          params: {input_token: none}
      outputs:
        next: "{result=paged:$.paging.next | null}"
        everything: "{result=pages}"

      """, to: "leaky.yaml")
    let verbose = ["-vv", "--report", "-"]
    var texts: [(name: String, bytes: [UInt8])] = []
    for arguments in [
      ["run", leaky] + verbose, ["run", "workflows/page-post.yaml"] + verbose,
      ["resume", "latest"] + verbose, ["get", "me/accounts"], ["get", "me/feed", "limit=1"],
      ["get", "me/nothing"],
    ] {
      let outcome = try graphflow.run(arguments, environment: sandbox.environment)
      texts.append((arguments[0] + " output", Array(outcome.output.utf8)))
      texts.append((arguments[0] + " error", Array(outcome.error.utf8)))
    }
    for file in graphflow.folder.files() where file.hasPrefix("state/") {
      texts.append((file, try contents(of: graphflow.folder.path + "/" + file)))
    }

    // The command does not know the page's token, but every token of Graph has the same prefix.
    let canaries = [sandbox.token, String(sandbox.token.prefix(20)), "EAA"].map { Array($0.utf8) }
    #expect(texts.contains { $0.name.hasSuffix("journal.sqlite") })
    #expect(texts.contains { $0.name.hasSuffix("report.json") })
    for text in texts {
      for canary in canaries {
        #expect(text.bytes.firstRange(of: canary) == nil, "a token is in \(text.name)")
      }
    }
  }

  @Test func `only the owner may read files of the state directory`() throws {
    let outcome = try graphflow(
      "run", "workflows/post-and-verify.yaml", environment: sandbox.environment)
    #expect(outcome.code == 0)

    for file in graphflow.folder.files(withFolders: true) where file.hasPrefix("state") {
      #expect(graphflow.folder.mode(of: file) & 0o077 == 0, "\(file)")
    }
  }
}
