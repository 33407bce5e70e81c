/// The published JSON Schemas.
enum Schemas {
  static let workflowAddress = "https://example.invalid/workflow.schema.json"
  static let workflow = "{}\n"
  static let report = "{}\n"
}
