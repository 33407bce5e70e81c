import CommandHarness
import GraphFlow
import GraphSandbox
import JSONPath
import TestSupport
import Testing

@testable import GraphFlowCLI

/// World files, read in this process.
struct WorldReaderTests {
  private static func reading(_ text: String) -> (WorldDescription?, [Diagnostic]) {
    WorldReader.reading(SourceFile(path: "world.yaml", bytes: Array(text.utf8)))
  }

  @Test func `the default world's file describes the default world`() throws {
    let (world, diagnostics) = Self.reading(
      try text(of: CommandFixture.root + "/workflows/worlds/default.yaml"))

    #expect(diagnostics.isEmpty)
    #expect(world == .standard)
  }

  @Test func `the example of a troubled world is valid`() throws {
    let (world, diagnostics) = Self.reading(
      try text(of: CommandFixture.root + "/workflows/worlds/troubled.yaml"))

    #expect(diagnostics.isEmpty)
    #expect(world?.limits.quotas[.app] == .init(calls: 200, used: 150))
    #expect(world?.tokens.count == 7)
  }

  @Test func `every key of a world file is read`() throws {
    let (world, diagnostics) = Self.reading(try text(of: Self.golden("everything.yaml")))

    #expect(diagnostics.isEmpty)
    let description = try #require(world)
    #expect(description.start == 1_767_225_600)
    #expect(description.application.requiresProof)
    #expect(
      description.users[0].value.permissions.map(\.status) == [.granted, .declined, .expired])
    #expect(description.users[0].value.contents.albums[0].photos[1].comments[0].likes == ["shop"])
    #expect(description.pages[0].value.instagram?.media == ["One", "Two"])
    #expect(description.pages[0].value.contents.posts[0].interval == 90)
    #expect(description.tokens.map(\.value.owner).last == .application)
    let subscription = try #require(description.application.subscriptions.first)
    #expect(subscription.fields == ["feed", "leadgen"] && !subscription.includesValues)
    #expect(description.pages[0].value.subscribedFields == ["feed"])
    #expect(description.users[0].value.likes == ["shop"])
    #expect(description.limits.window == 120)
    #expect(description.limits.quotas[.pages]?.processorTime == 2_500)
    let campaign = description.adAccounts[0].value.campaigns[0]
    #expect(campaign.adSets[0].ads[0].spend == 99)
    #expect(campaign.adSets[0].start == 1_764_547_200 && campaign.adSets[0].end == 1_769_947_200)
    #expect(description.adAccounts[0].value.timeZone == .newYork)
    #expect(!description.behaviors.opensTimelines)
    #expect(description.behaviors.forbidden == .empty)
    #expect(description.behaviors.shuffle == 7)
    #expect(description.behaviors.aborted == .error960)
  }

  @Test func `all errors of a world file are reported together, each with its location`() throws {
    let (world, diagnostics) = Self.reading(try text(of: Self.golden("wrong.yaml")))

    #expect(world == nil)
    expectGolden(
      diagnostics.map {
        "\($0.location): \($0.message) [\($0.rule)]" + ($0.hint.map { "; \($0)" } ?? "")
      }.joined(separator: "\n") + "\n", Self.golden("wrong.txt"))
  }

  @Test(arguments: ["", "a", "[]", "world: 2\ntokens: {}", "world: 1", "{", "world: {world: 1}"])
  func `anything but a world is refused`(_ text: String) {
    let (world, diagnostics) = Self.reading(text)

    #expect(world == nil)
    #expect(!diagnostics.isEmpty)
  }

  @Test(arguments: [
    "workflows/worlds/default.yaml", "workflows/worlds/troubled.yaml",
    "workflows/worlds/marketing.yaml", "Tests/EndToEndTests/Golden/worlds/everything.yaml",
  ])
  func `a valid world file fits the schema, and every mutation that fits is valid`(
    path: String
  ) throws {
    let schema = try JSONSchema(JSON(parsing: SchemaCommand.Subject.world.schema))
    let value = try Self.value(of: try text(of: CommandFixture.root + "/" + path))
    #expect(Self.reading(value.serialized()).0 != nil)
    #expect(schema.faults(in: value).isEmpty)
    var refused = 0
    for mutation in Self.mutations(of: value) {
      let fits = schema.faults(in: mutation).isEmpty
      let isValid = Self.reading(mutation.serialized()).0 != nil
      #expect(fits == isValid, "\(mutation.serialized().prefix(3_000))")
      if !fits { refused += 1 }
    }
    #expect(refused > 20)
  }

  /// The file's value as JSON.
  private static func value(of text: String) throws -> JSON {
    let reader = FieldReader(SourceFile(path: "x", bytes: Array(text.utf8)))
    let root = try #require(reader.root)
    let value = reader.value(root, "the file")
    return try #require(value)
  }

  /// The value with one part replaced by a map, or with an unknown key.
  private static func mutations(of value: JSON) -> [JSON] {
    var found: [JSON] = [["zzz": 1]]
    switch value {
    case .object(let members):
      var more = members
      more["zzz"] = true
      found.append(.object(more))
      for (name, member) in members {
        for mutation in mutations(of: member) {
          var changed = members
          changed[name] = mutation
          found.append(.object(changed))
        }
      }
    case .array(let elements):
      for index in elements.indices.prefix(2) {
        for mutation in mutations(of: elements[index]) {
          var changed = elements
          changed[index] = mutation
          found.append(.array(changed))
        }
      }
    default: break
    }
    return found
  }

  private static func golden(_ name: String) -> String {
    CommandFixture.root + "/Tests/EndToEndTests/Golden/worlds/\(name)"
  }
}
