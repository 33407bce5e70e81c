import ArgumentParser
import GraphFlow

/// A workflow that `init` writes: a file of `workflows/`, which the build puts into the command,
/// with the files that it needs.
struct WorkflowTemplate {
  /// The workflow's name, which is also the name of its file.
  let name: String
  private let bytes: [UInt8]
  /// The files beside it.
  let files: [NewFile]

  static let first = WorkflowTemplate("first-workflow", PackageResources.first_workflow_yaml)

  /// The templates, the simplest first.
  static let all = [
    first,
    WorkflowTemplate("post-and-verify", PackageResources.post_and_verify_yaml),
    WorkflowTemplate("page-post", PackageResources.page_post_yaml),
    WorkflowTemplate(
      "publish-from-csv", PackageResources.publish_from_csv_yaml,
      [NewFile(path: "posts.csv", bytes: PackageResources.posts_csv)]),
    WorkflowTemplate("photo-batch", PackageResources.photo_batch_yaml, [red, green, blue]),
    WorkflowTemplate("photo-then-publish", PackageResources.photo_then_publish_yaml, [red]),
    WorkflowTemplate("instagram-post", PackageResources.instagram_post_yaml),
    WorkflowTemplate("post-audit", PackageResources.post_audit_yaml),
    WorkflowTemplate("all-comments", PackageResources.all_comments_yaml),
    WorkflowTemplate("permissions-audit", PackageResources.permissions_audit_yaml),
    WorkflowTemplate("cleanup", PackageResources.cleanup_yaml),
    WorkflowTemplate("publish-and-wait", PackageResources.publish_and_wait_yaml),
    WorkflowTemplate("draft-then-publish", PackageResources.draft_then_publish_yaml),
    WorkflowTemplate("confirm-post", PackageResources.confirm_post_yaml),
    WorkflowTemplate("schedule-post", PackageResources.schedule_post_yaml),
    WorkflowTemplate(
      "lost-answer", PackageResources.lost_answer_yaml,
      [NewFile(path: "lost-answer.faults.yaml", bytes: PackageResources.lost_answer_faults_yaml)]),
  ]

  private static let red = NewFile(path: "photos/red.png", bytes: PackageResources.red_png)
  private static let green = NewFile(path: "photos/green.png", bytes: PackageResources.green_png)
  private static let blue = NewFile(path: "photos/blue.gif", bytes: PackageResources.blue_gif)

  /// The address of the schema, as the first workflow's first line names it.
  static var schema: String {
    let line = first.bytes.prefix { $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: "="))
    return String(decoding: line.last ?? [], as: UTF8.self)
  }

  private init(_ name: String, _ bytes: [UInt8], _ files: [NewFile] = []) {
    (self.name, self.bytes, self.files) = (name, bytes, files)
  }

  /// What the workflow says that it is for.
  var description: String {
    let source = SourceFile(path: name + ".yaml", bytes: bytes)
    return Pipeline.load(source, filePresence: nil).workflow?.description ?? ""
  }

  /// The workflow under the path of its new file, with the address of the schema instead of the
  /// path in this repository.
  func text(at path: String) -> String {
    let rest = String(decoding: bytes.drop { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return "# yaml-language-server: $schema=\(Self.schema)"
      + rest.replacing(" workflows/\(name).yaml", with: " " + path)
      .replacing(" run \(name).yaml", with: " run " + path)
      .replacing(" FILE", with: " " + path)
  }

  /// The command that its comment begins with, for the file at a path.
  func command(at path: String) -> String? {
    text(at: path).split(separator: "\n").first { $0.hasPrefix("#   graphflow run ") }
      .map { String($0.dropFirst("#   ".count)) }
  }
}

extension WorkflowTemplate: ExpressibleByArgument {
  static let allValueStrings = all.map(\.name)

  init?(argument: String) {
    guard let template = Self.all.first(where: { $0.name == argument }) else { return nil }
    self = template
  }
}
