/// What `graphflow init` writes.
enum FirstWorkflow {
  /// The `$id` of the schema, by which editors find it.
  private static let schemaAddress = "https://graphflow.dev/schemas/workflow-1.json"

  /// The file's text.
  static let text = """
    # yaml-language-server: $schema=\(schemaAddress)
    #
    # A first workflow. Check it, look at its plan, run it without an account:
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
      # One of get, post and delete names the verb and the path, as in Graph's own documentation.
      status-post:
        post: me/feed
        params:
          message: "{input=message}"
        # If nobody knows whether it arrived, it is not sent a second time.
        idempotent: false

      # A reference makes this request wait for the other one. Both still travel in one call.
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
