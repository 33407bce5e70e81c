import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Items that are prepared while others are under way.
struct PreparedItemTests {
  private func prepared(_ requests: String) throws -> PreparedItem {
    let workflow = try workflow(
      "graphflow: 1\ninputs: {page: {type: string, default: p}}\nrequests:\n" + requests)
    let resolved = try #require(
      InputValues.resolving(workflow, flags: [], file: nil, environment: [:]).values)
    let preparation = ItemPreparation(
      of: 0, in: workflow, inputs: resolved,
      run: RunIdentity(id: SampleRuns.id, startedAt: SampleRuns.timestamp(0)),
      InstanceGraph(DependencyGraph(of: workflow), of: workflow))
    return try #require(preparation.item(["id": "7", "text": "a b"], at: 3))
  }

  @Test func `requests that wait for no answer are bound`() throws {
    let item = try prepared(
      """
        g:
          for_each: {file: rows.csv}
          key: "{item=$.id}-{input=page}"
          requests:
            read: {get: "{input=page}/{item=$.id}", params: {q: "{item=$.text}"}}
            post: {post: me/photos, files: {source: "{item=$.id}.jpg"}}
            more: {get: "{result=read:$.next | me}"}
            late: {get: me, when: "{result=read:$.ok} == true"}
            bad: {get: "{item=$.missing}"}

      """)

    #expect(try item.key?.get() == "7-p")
    #expect(item.bound.map { $0?.operation.path } == ["p/7", nil, nil, "me", nil])
    #expect(item.bound[0]?.operation.parameters.map(\.value) == ["a b"])
  }
}
