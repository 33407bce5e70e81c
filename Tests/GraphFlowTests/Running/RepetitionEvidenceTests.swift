import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// A refusal as a repetition is a failure the first time, and a hint after an attempt in doubt.
struct RepetitionEvidenceTests {
  static let repetitions = [
    GraphError(message: "Duplicate status message", code: 506),
    GraphError(message: "Duplicate status message", code: 506, subcode: 1_455_006),
    GraphError(message: "You've already posted this. Posting it again isn't allowed.", code: 368),
    GraphError(message: "The activity already has a reply", code: 10_900),
  ]

  static let others = [
    GraphError(message: "We limit how often you can post.", code: 368, subcode: 1_390_008),
    GraphError(message: "You've already been told to slow down", code: 368, subcode: 1_390_008),
    GraphError(message: "It looks like you were misusing this feature", code: 368),
  ]

  private func simulation(_ more: String) throws -> Simulation {
    try Simulation(
      workflow(requests: [
        "w: {post: me/feed, params: {message: hi}\(more)}", "r: {get: \"{result=w:$.id}\"}",
      ]))
  }

  private static let confirm = """
    , confirm: {get: me/feed, params: {fields: "id,message,created_time"}, \
    when: "$.data[?@.message == 'hi']", within: 5s}
    """

  @Test(arguments: repetitions + others)
  func `on a first attempt it has failed, and no other post is taken for it`(
    _ error: GraphError
  ) throws {
    for more in ["", Self.confirm, ", idempotent: true"] {
      var run = try simulation(more)
      run.graph.publish("hi", as: "stranger", at: Simulation.startedAt.advanced(by: .seconds(1)))
      run.graph.fault = { operation, _ in
        operation.method == .post ? .error(error, status: 400) : nil
      }

      let end = try run.run()

      #expect(run.statuses == ["w": .failed, "r": .skipped])
      #expect(run.outcomes["w"]?.failure?.error.code == error.code)
      #expect(end?.exitCode == 1)
    }
  }

  /// The first attempt is lost but applied; reads lag so much that it is sent again.
  @Test(arguments: repetitions)
  func `after a doubtful attempt it leads to a check that finds the write`(
    _ error: GraphError
  ) throws {
    var run = try simulation(Self.confirm)
    run.graph.lag = { _ in .seconds(7) }
    run.loss = { $0.number == 1 ? .afterItIsApplied : nil }
    var posts = 0
    run.callFault = { call in
      guard call.operations.contains(where: { $0.method == .post }) else { return nil }
      posts += 1
      guard posts > 1 else { return nil }
      let facts = CallFacts(status: 200, bytesSent: 0, bytesReceived: 0)
      return .answered(.items([.error(error, 400)]), facts)
    }

    let end = try run.run()

    #expect(run.graph.posts.count == 1)
    #expect(run.statuses == ["w": .succeeded, "r": .succeeded])
    #expect(end?.exitCode == 0)
  }

  @Test(arguments: repetitions)
  func `without confirm it stays in doubt, with a hint`(_ error: GraphError) throws {
    var run = try simulation(", idempotent: true")
    run.loss = { $0.number == 1 ? .afterItIsApplied : nil }
    run.graph.fault = { operation, number in
      operation.method == .post && number > 0 ? .error(error, status: 400) : nil
    }
    run.callFault = { call in
      guard call.number > 1, call.operations.contains(where: { $0.method == .post }) else {
        return nil
      }
      let facts = CallFacts(status: 200, bytesSent: 0, bytesReceived: 0)
      return .answered(.items([.error(error, 400)]), facts)
    }

    let end = try run.run()

    #expect(run.statuses == ["w": .inDoubt, "r": .skipped])
    #expect(run.outcomes["w"]?.failure?.error.code == error.code)
    #expect(run.outcomes["w"]?.failure?.hint.contains("refused it as a duplicate") == true)
    #expect(end?.exitCode == 3)
  }

  /// A person found nothing, and Graph reports that the post exists after all.
  @Test(arguments: repetitions)
  func `after a person's decision that it did not happen it is in doubt again`(
    _ error: GraphError
  ) throws {
    var first = try simulation("")
    first.loss = { $0.number == 1 ? .afterItIsApplied : nil }
    _ = try first.run()
    let item: ItemID? = nil
    var second = try Simulation(
      first.workflow, replaying: first.events,
      decisions: [DoubtDecision(request: 0, item: item, finding: .notApplied)], at: .seconds(100))
    second.graph.fault = { _, _ in .error(error, status: 400) }

    let end = try second.run()

    #expect(second.statuses["w"] == .inDoubt && end?.exitCode == 3)
    #expect(second.outcomes["w"]?.failure?.hint.contains("refused it as a duplicate") == true)
  }

  @Test(arguments: others)
  func `another refusal after a doubtful attempt is a failure`(_ error: GraphError) throws {
    var run = try simulation(Self.confirm)
    run.loss = { $0.number == 1 ? .beforeItIsApplied : nil }
    run.callFault = { call in
      guard call.number > 1, call.operations.contains(where: { $0.method == .post }) else {
        return nil
      }
      let facts = CallFacts(status: 200, bytesSent: 0, bytesReceived: 0)
      return .answered(.items([.error(error, 400)]), facts)
    }

    _ = try run.run()

    #expect(run.statuses["w"] == .failed)
    #expect(run.outcomes["w"]?.failure?.reason == .policy)
  }
}
