import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `graphflow init` from what people have: curl lines, archives, addresses.
struct ImportTests {
  private let graphflow: CommandFixture
  private var place: String { graphflow.folder.path }

  init() throws { graphflow = try CommandFixture() }

  /// The file of a curl line, without the line that names the schema.
  private func file(_ line: String, _ name: String = "made") throws -> String {
    let made = try graphflow("init", name, "--from-curl", "-", input: line, in: place)
    #expect(made.code == 0, "\(line): \(made.error)")
    let path = place + "/\(name).yaml"
    let whole = try text(of: path)
    #expect(whole.hasPrefix("# yaml-language-server: $schema=./workflow.schema.json\n"))
    return whole.split(separator: "\n", maxSplits: 1).last.map(String.init) ?? ""
  }

  @Test func `a line of the explorer becomes a request without its token`() throws {
    let token = "EAA" + String(repeating: "b1C2", count: 10)
    let line =
      "curl -i -X GET \"https://graph.facebook.com/v25.0/me?fields=id%2Cname&access_token=\(token)\""
    let made = try graphflow("init", "--from-curl", line, in: place)

    #expect(
      made.error == """
        wrote get-me.yaml: 1 request
        the token was left out: `graphflow login` stores one, or set GRAPHFLOW_ACCESS_TOKEN
        try: graphflow plan get-me.yaml
        then: graphflow run get-me.yaml
        for editors: graphflow schema workflow --write

        """)
    #expect(
      try text(of: place + "/get-me.yaml").hasSuffix(
        """
        graphflow: 1
        version: v25.0
        requests:
          get-me:
            get: me
            params:
              fields: id,name

        """))
  }

  @Test func `a batch keeps names, references and files`() throws {
    _ = try graphflow.folder.write("png", to: "a.png")
    let batch = """
      [{"method":"GET","name":"get friends","relative_url":"me/friends?limit=5"},
       {"method":"GET","relative_url":"?ids={result=get friends:$.data.*.id}"},
       {"method":"POST","name":"photo","relative_url":"v24.0/me/photos","attached_files":"f1",
        "body":"caption=%7Bx%7D+{result=get friends:$.data[0].id}","depends_on":"get friends",
        "headers":["If-Match: 1"],"access_token":"other"}]
      """
    let line =
      "curl -F 'access_token=x' -F 'f1=@a.png' -F 'batch=\(batch)' https://graph.facebook.com/v25.0"
    #expect(
      try file(line) == """
        graphflow: 1
        requests:
          get-friends:
            get: me/friends
            version: v25.0
            params:
              limit: 5
          get-ids:
            get: "?ids={result=get-friends:$.data.*.id}"
            version: v25.0
          photo:
            post: me/photos
            version: v24.0
            params:
              caption: "{{x} {result=get-friends:$.data[0].id}"
            files:
              f1: a.png
            headers:
              If-Match: 1

        """)
    #expect(try graphflow("validate", "made.yaml", in: place).code == 0)
  }

  @Test(arguments: [
    ("curl 'https://graph.facebook.com/me", "error: the quote at 1:6 has no end"),
    ("curl https://example.com/me", "error: 'example.com' is not a host of the Graph API"),
    ("curl -H", "error: curl's option -H has no value"), ("curl", "error: the line has no URL"),
    ("wget https://graph.facebook.com/me", "error: this is no command line of curl"),
    ("curl -X PUT https://graph.facebook.com/me", "error: the method is 'PUT'"),
    ("curl -T x https://graph.facebook.com/me", "error: curl's option -T may change what is sent"),
    ("curl -d @x https://graph.facebook.com/me", "error: -d takes its data from a file: '@x'"),
    ("curl -d \"a=`id`\" https://graph.facebook.com/me", "error: the line runs another command"),
    ("curl -d a=1 -d a=2 https://graph.facebook.com/me", "error: the parameter 'a' occurs twice"),
    ("curl https://graph.facebook.com/v25.0", "error: the address has no path"),
    (
      "curl https://graph.facebook.com/a https://graph.facebook.com/b", "error: the line has 2 URLs"
    ),
    ("curl -d batch=x https://graph.facebook.com/", "error: the parameter 'batch' is not a list"),
    (
      "curl -d client_secret=0123456789abcdef https://graph.facebook.com/oauth/access_token",
      "error: the parameter 'client_secret' is a secret"
    ), ("https://graph.facebook.com/me", "error: this is no command line of curl\n  an address"),
  ])
  func `a line that cannot be read says what and how`(_ line: String, _ message: String) throws {
    let outcome = try graphflow("init", "a", "--from-curl", line, in: place)
    #expect(outcome.code == 65)
    #expect(outcome.error.hasPrefix(message), "\(outcome.error)")
    #expect(outcome.error.split(separator: "\n").count == 2, "\(outcome.error)")
    #expect(throws: (any Error).self) { try text(of: place + "/a.yaml") }
  }

  /// Values that YAML, the shell or the language could read otherwise.
  private static let values = [
    "it's", "a: b", "# no", "- x", " lead", "trail ", "", "null", "~", "yes", "True", "0012", "1e3",
    "12", "true", "{input=x}", "{{x}}", "{result=a:$.id}", "{\"a\":[1,{\"b\":\"}\"}]}", "{ item }",
    "line\nbreak", "tab\t", "\\ \" $HOME `x`", "é ☺ 🧑‍🚀 \u{85}\u{2028}\u{FEFF}", "a&b=c+d%41", "*a",
    "&a", "!!str", "[x]", "%", "@x", "|", ">", "?", "${x}", "{item}", "{index}", "{results=a:$.x}",
  ]

  @Test func `the file sends what the line sends, whatever the text`() throws {
    let sandbox = try SandboxProcess(for: graphflow)
    var line = ""
    for value in Self.values where !value.isEmpty {
      line +=
        "curl --data-urlencode \(("message=" + value).quotedForShell) \(sandbox.url)/me/feed\n"
    }
    _ = try file(line)
    #expect(try graphflow("validate", "made.yaml", in: place).code == 0)
    let ran = try graphflow(
      "run", "made.yaml", "--batch-size", "1", in: place, environment: sandbox.environment)
    #expect(ran.code == 0, "\(ran.error)")
    let feed = try graphflow(
      "get", "me/feed", "fields=message", "limit=\(Self.values.count)",
      environment: sandbox.environment)
    let messages = try JSON(parsing: feed.output)["data"]?.array?.compactMap {
      $0["message"]?.string
    }
    let sent = Self.values.filter { !$0.isEmpty }
    #expect(Array((messages ?? []).prefix(sent.count).reversed()) == sent)
  }

  @Test func `an archive becomes requests that refer to each other's ids`() throws {
    let sandbox = try SandboxProcess(for: graphflow)
    let source = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        post: {post: me/feed, params: {message: "Hello: {{x}"}}
        read: {get: "{result=post:$.id}", params: {fields: message}, batch: alone}
        gone: {delete: "{result=post:$.id}", depends_on: [read], batch: alone}
      """, to: "source.yaml")
    let recorded = try graphflow(
      "run", source, "--record", "calls.har", "--batch-size", "1", in: place,
      environment: sandbox.environment)
    #expect(recorded.code == 0, "\(recorded.error)")
    let before = try sandbox.calls().flatMap(\.operations)

    let made = try graphflow("init", "made", "--from-har", "calls.har", in: place)
    #expect(made.code == 0, "\(made.error)")
    #expect(
      try text(of: place + "/made.yaml").hasSuffix(
        """
        requests:
          post-me-feed:
            post: me/feed
            params:
              message: "Hello: {{x}"
          get-object:
            get: "{result=post-me-feed:$.id}"
            params:
              fields: message
          delete-object:
            delete: "{result=post-me-feed:$.id}"
            depends_on: [get-object]

        """))
    let ran = try graphflow(
      "run", "made.yaml", "--batch-size", "1", in: place, environment: sandbox.environment)
    #expect(ran.code == 0, "\(ran.error)")
    let after = try sandbox.calls().flatMap(\.operations).dropFirst(before.count)
    #expect(after.map(\.method) == before.map(\.method))
    #expect(after.allSatisfy { $0.isApplied || $0.method == "GET" })
  }

  @Test func `an archive without calls of Graph, or with broken JSON, says so`() throws {
    _ = try graphflow.folder.write("{\"log\": {\"entries\": [}}", to: "broken.har")
    let secret = """
      {"request": {"method": "GET", "url":
        "https://graph.facebook.com/debug_token?input_token=0123456789abcdef"}}
      """
    let read = secret.replacing("debug_token?input_token=0123456789abcdef", with: "me")
    _ = try graphflow.folder.write(
      "{\"log\": {\"entries\": [\(secret), \(read)]}}", to: "secret.har")
    let made = try graphflow("init", "made", "--from-har", "secret.har", in: place)
    #expect(made.error.contains("left out: request with a secret (1)\n"))
    #expect(!(try text(of: place + "/made.yaml").contains("0123456789abcdef")))
    let entry = "{\"request\": {\"method\": \"GET\", \"url\": \"https://example.com/\"}}"
    _ = try graphflow.folder.write("{\"log\": {\"entries\": [\(entry)]}}", to: "other.har")
    _ = try graphflow.folder.write("[]", to: "list.har")
    for (name, message) in [
      ("broken", "error: the archive is not JSON: 1:22:"),
      ("other", "error: none of the archive's 1 requests went to the Graph API"),
      ("list", "error: this is no HTTP archive"),
    ] {
      let outcome = try graphflow("init", "--from-har", name + ".har", in: place)
      #expect(outcome.code == 65)
      #expect(outcome.error.hasPrefix(message), "\(outcome.error)")
    }
  }

  @Test(arguments: [
    "https://developers.facebook.com/tools/explorer/?method=GET&path=me%3Ffields%3Did%2Cname&version=v25.0",
    "https://graph.facebook.com/v25.0/me?fields=id,name&access_token=abc",
    "graph.facebook.com/v25.0/me/?fields=id%2Cname",
  ])
  func `an address becomes a request`(_ address: String) throws {
    let made = try graphflow("init", "a", "--from-explorer", address, in: place)
    #expect(made.code == 0, "\(made.error)")
    #expect(
      try text(of: place + "/a.yaml").hasSuffix(
        "version: v25.0\nrequests:\n  get-me:\n    get: me\n    params:\n      fields: id,name\n"))
  }

  @Test func `the lines of graphflow curl can be read again`() throws {
    var count = 0
    for folder in ["workflows", "workflows/photos"] { try graphflow.folder.makeFolder(folder) }
    for name in ["red.png", "green.png", "blue.gif"] {
      _ = try graphflow.folder.write("x", to: "workflows/photos/" + name)
    }
    for name in ["post-and-verify", "cleanup", "friends-by-ids", "photo-batch", "instagram-post"] {
      let path = "workflows/\(name).yaml"
      let source = try text(of: CommandFixture.root + "/" + path)
      let requests = source.matches(
        of: /(?m)^  ([a-z-]+):(?: &upload)?\n(?: .*\n)*?    (?:<<|get|post|delete):/)
      for request in requests {
        let line = try graphflow("curl", path, String(request.1))
        guard line.code == 0 else { continue }
        count += 1
        let made = try file(line.output, "made-\(count)")
        for word in ["limit", "fields", "caption", "message", "image_url", "source"]
        where line.output.contains("'\(word)=") {
          #expect(made.contains("      \(word): "), "\(made)")
        }
        let again = try graphflow.run(
          ["curl", "made-\(count).yaml", try firstName(in: made)], in: place)
        #expect(again.code == 0, "\(again.error)")
        #expect(again.output.stableLine == line.output.stableLine)
      }
    }
    #expect(count >= 10)
  }

  private func firstName(in file: String) throws -> String {
    String(try #require(file.split(separator: "requests:\n  ").last?.prefix { $0 != ":" }))
  }
}

extension String {
  fileprivate var quotedForShell: String { "'" + replacing("'", with: "'\\''") + "'" }

  /// A curl line without names of variables, folders and tokens.
  fileprivate var stableLine: String {
    replacing(/\$\{[A-Z0-9_]+:\?\}/, with: "$VAR").replacing(/"Authorization: .*/, with: "")
      .replacing(/@".*\/([a-z]+)/) { "@\"" + $0.output.1 }
  }
}
