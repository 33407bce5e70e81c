import GraphFlow
import TestSupport
import Testing

/// Workflows for the tests of reading.
enum WorkflowSample {
  /// Reads a workflow without diagnostics.
  static func read(
    _ text: String, named path: String = "flows/sample.yaml",
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> Workflow {
    let source = SourceFile(path: path, bytes: Array(text.utf8))
    let (workflow, diagnostics) = Workflow.reading(source)
    return try #require(workflow, "\(diagnostics.text(in: source))", sourceLocation: sourceLocation)
  }

  /// Reads a workflow with these requests, indented by two spaces each.
  static func read(
    requests: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> Workflow {
    try read("graphflow: 1\nrequests:\n" + requests, sourceLocation: sourceLocation)
  }

  /// A workflow with every supported key of the language.
  static let everything = """
    graphflow: 1
    name: everything
    description: All that there is.
    x-shared: &shared
      timeout: 5s
      permissions: [pages_show_list]
    inputs:
      page_id: string
      message:
        type: string
        description: What to publish
        default: Hello
        pattern: "^.{1,2000}$"
        min_length: 1
        max_length: 2000
      count: {type: integer, minimum: 1, maximum: 100, default: 25}
      ratio: {type: number, default: 1.50}
      loud: {type: boolean, default: false}
      ids: {type: list, items: string, min_items: 0, max_items: 3, default: []}
      photo: {type: file, default: photos/a.jpg}
      color: {type: string, enum: [red, green], default: red}
      page_token: secret
    version: v24.0
    token: editor
    permissions: [pages_read_engagement]
    defaults:
      retry: {max_attempts: 6, initial_delay: 250ms}
      timeout: 30s
      on_error: stop
      headers: {X-Common: "{run=id}", Accept-Language: en}
    errors:
      - {code: 1487390, category: transient}
      - {code: 100, subcode: 33, category: other, reason: not_found}
    requests:
      accounts:
        get: me/accounts
        params: {fields: "id,access_token", limit: "{input=count}"}
      status-post:
        <<: *shared
        description: Publishes.
        post: /{input=page_id}/feed
        token: "{result=accounts:$.data[0].access_token}"
        params:
          message: "{input=message} {{literal}"
          targeting: {geo_locations: {countries: [US, "{input=page_id}"]}}
          plain: {a: [1, 2.50, true, null, yes]}
          nothing: null
        headers: {accept-language: de}
        expect:
          - "$.id"
          - {check: "status() == 200 && header('ETag') != ''", message: It must be fine.}
        retry: {max_attempts: 2, on: [throttled, 4, 100/33]}
        on_error: continue
        idempotent: true
      read-back:
        get: "{result=status-post:$.id}"
        version: v25.0
        permissions: [pages_manage_posts, pages_read_engagement]
        depends_on: [accounts, status-post, accounts]
        on_dependency_failure: run
        when: "{result=status-post} != null && {input=loud} == false"
        params: {ids: "{result=accounts:$.data[*].id | none}"}
        retry: false
        timeout: 2m
        on_error: ignore
        batch: alone
      upload:
        post: me/photos
        files: {source: "{input=photo}", second: photos/b.jpg}
        token: other
        omit_response: true
      clean-up: {delete: "{result=status-post:$.id}", token: "{input=page_token}"}
    outputs:
      post_id: "{result=status-post:$.id}"
      all: {page: "{result=accounts:$.data[*].id}", fixed: 1}
    """
}
