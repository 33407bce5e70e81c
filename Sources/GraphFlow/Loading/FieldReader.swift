/// Reads a YAML file that is no workflow: the same words as there for the same mistakes.
package struct FieldReader: YAMLReading {
  package var findings: Findings
  package var comparisonsLeft = LoadingLimits.comparisons

  /// The document; nil if the file is no YAML at all, which has been reported then.
  package let root: YAMLNode?

  /// Reads the file's YAML.
  package init(_ source: SourceFile) { (root, findings) = YAMLNode.composing(source) }

  /// What has been found, sorted by place.
  package var diagnostics: [Diagnostic] { findings.sorted }

  /// Whether something was found that makes the file unusable.
  package var hasErrors: Bool { findings.hasErrors }
}
