/// The workflow that `graphflow init` writes.
enum FirstWorkflow {
  /// The `$id` of the schema, by which editors find it.
  private static let schemaAddress = "https://graphflow.dev/schemas/workflow-1.json"

  static let text = """
    # yaml-language-server: $schema=\(schemaAddress)
    #
    # A first workflow. Check it, print its plan, and run it without an account:
    #
    #   graphflow validate FILE
    #   graphflow plan FILE
    #   graphflow run FILE --sandbox --input message="Hello"
    #
    graphflow: 1
    description: Publish a status, read it back, and check that it says what it should.

    inputs:
      message:
        type: string
        description: What to publish
        default: Hello

    requests:
      # get, post or delete is the method, and its value the path, as in Graph's documentation.
      status-post:
        post: me/feed
        params:
          message: "{input=message}"
        # If its answer is lost, it is not sent a second time.
        idempotent: false

      # A reference makes this request wait for the other one. Both still share one call.
      read-back:
        get: "{result=status-post:$.id}"
        params:
          fields: id,message
        expect:
          - "$.message == {input=message}"

    outputs:
      post_id: "{result=status-post:$.id}"

    """
}
