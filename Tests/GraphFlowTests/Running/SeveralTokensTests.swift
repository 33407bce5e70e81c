import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// Operations of different tokens share batches, each with its own token and proof.
struct SeveralTokensTests {
  @Test func `each token of a batch has its own proof on the wire`() throws {
    let secret = try #require(AppSecret("app-secret"))
    var run = try Simulation(
      workflow(requests: [
        "a: {get: a}", "b: {post: b, token: other}", "c: {get: c, token: third}", "d: {post: d}",
      ]), app: (secret, nil))
    var bodies: [[UInt8]] = []
    run.callFault = { call in
      guard case .batch(let batch) = call.content else { return nil }
      bodies.append(batch.wireRequest(to: .standard).body)
      return nil
    }

    let end = try run.run()

    #expect(end?.exitCode == 0)
    #expect(bodies.count == 1)
    let form = PercentEncoding.fields(
      of: String(decoding: try #require(bodies.first), as: UTF8.self))
    let proofs = try ["default", "other", "third"].map { profile in
      secret.proof(for: try #require(AccessToken("token-of-\(profile)")))
    }
    #expect(form["access_token"] == "token-of-default")
    #expect(form["appsecret_proof"] == proofs[0])
    let operations = try JSON(parsing: try #require(form["batch"])).array ?? []
    let credentials = operations.map { operation in
      let place = operation["body"]?.string ?? operation["relative_url"]?.string ?? ""
      let query = place.split(separator: "?").last.map(String.init) ?? ""
      let fields = PercentEncoding.fields(of: query)
      return [fields["access_token"], fields["appsecret_proof"]]
    }
    #expect(
      credentials == [
        [nil, nil], ["token-of-other", proofs[1]], ["token-of-third", proofs[2]], [nil, nil],
      ])
  }
}

extension PercentEncoding {
  /// The fields of a form or a query.
  fileprivate static func fields(of text: String) -> [String: String] {
    text.split(separator: "&").reduce(into: [:]) { fields, pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return }
      let value = String(parts[1]).replacing("+", with: " ")
      fields[decoded(String(parts[0]))] = decoded(value)
    }
  }
}
