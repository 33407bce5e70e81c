import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `graphflow login --page`, and the workflows that act as that page.
struct PageLoginTests {
  private let fixture: LoginFixture
  private var graphflow: CommandFixture { fixture.graphflow }

  init() throws { fixture = try LoginFixture() }

  @Test func `the token of a page is kept as a profile, and a workflow acts as the page`() throws {
    #expect(try fixture.storeToken().code == 0)
    let kept = try graphflow("login", "--page", "harbour bakery")
    let (outcome, report) = try graphflow.report("run", "workflows/post-and-verify.yaml")

    #expect(kept.code == 0, "\(kept.error)")
    #expect(kept.output.contains("profile     page, from the stored login"))
    #expect(kept.output.contains("user        Harbour Bakery (122000000000023)"))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try report.one("$.run.profile") == "page")
    let id = try #require(try report.one("$.outputs.post_id").string)
    #expect(id.hasPrefix("122000000000023_"))
    #expect(!(kept.output + kept.error).contains("EAA"))
  }

  @Test func `a person's token on standard input gives the page's, for another profile`() throws {
    let kept = try graphflow(
      "login", "--page", "122000000000023", "--profile", "bakery", "--token-stdin",
      input: fixture.sandbox.token)
    let me = try graphflow("get", "me", "--profile", "bakery", "--select", "$.name")

    #expect(kept.code == 0, "\(kept.error)")
    #expect(me.output == "\"Harbour Bakery\"\n")
  }

  @Test func `without a token the person logs in first, and only the page's token is kept`() throws
  {
    let (process, code) = try fixture.startLogin("--page", "Night Sky Club")
    try fixture.decide(code)
    let (status, facts, outcome) = try fixture.lastLine(of: process)

    #expect(status == 0, "\(outcome.error)")
    #expect(facts["profile"] == "page")
    #expect(facts["user"]?["name"] == "Night Sky Club")
    #expect(try fixture.onlyStoredLogin()["profile"] == "page")
  }

  @Test func `a page that the person does not have is reported with those there are`() throws {
    #expect(try fixture.storeToken().code == 0)
    let outcome = try graphflow("login", "--page", "Harbor Bakery")
    let person = try graphflow(
      "login", "--page", "Harbour Bakery", "--token-stdin", input: fixture.sandbox.pageToken)

    #expect(outcome.code == 77)
    #expect(outcome.error.contains("the person has no page 'Harbor Bakery'"))
    #expect(outcome.error.contains("Harbour Bakery (122000000000023), Night Sky Club ("))
    // A page's token has no list of pages.
    #expect(person.code == 1, "\(person.error)")
    #expect(fixture.files.count == 1)
  }

  @Test func `a single request on the sandbox uses a token of the world`() throws {
    let page = try graphflow(
      "post", "me/feed", "message=Hi", "--sandbox", "--profile", "page", "--select", "$.id")
    let person = try graphflow("post", "me/feed", "message=Hi", "--sandbox")
    let unknown = try graphflow("get", "me", "--sandbox", "--profile", "pgae")

    #expect(page.code == 0, "\(page.error)")
    #expect(page.output.hasPrefix("\"122000000000023_"))
    #expect(person.code == 77, "\(person.error)")
    #expect(unknown.code == 64)
    #expect(unknown.error.contains("the sandbox has no token 'pgae'"), "\(unknown.error)")
    #expect(unknown.error.contains("its tokens are: default, page"))
  }
}
