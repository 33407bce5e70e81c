/// Reads a YAML file other than a workflow, with the same messages for the same mistakes.
package struct FieldReader: YAMLReading {
  package var findings: Findings

  /// The document; nil if the file is not YAML, which has then been reported.
  package let root: YAMLNode?

  /// Parses the file.
  package init(_ source: SourceFile) { (root, findings) = YAMLNode.composing(source) }

  /// The problems found, sorted by location.
  package var diagnostics: [Diagnostic] { findings.sorted }

  /// Whether a problem makes the file unusable.
  package var hasErrors: Bool { findings.hasErrors }
}
