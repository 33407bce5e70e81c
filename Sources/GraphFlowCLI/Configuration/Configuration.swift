import GraphAPI

/// The contents of `graphflow/config.yaml`; flags and the environment override it.
struct Configuration: Sendable {
  var profiles: [String: TokenSource] = [:]
  var graphURL: GraphURL?
  var version: GraphVersion?
  /// The path of the certificates that are trusted instead of the system's, as written in the file.
  var certificateFile: String?
  /// The app that tokens belong to.
  var appID: String?

  /// The path of the configuration, in the XDG config directory, usually `~/.config`.
  ///
  /// `nil` if neither `XDG_CONFIG_HOME` nor `HOME` is set. A relative path is ignored, as the XDG
  /// specification demands.
  static var path: String? {
    if let folder = Environment.value("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      return folder + "/graphflow/config.yaml"
    }
    return Environment.value("HOME").map { $0 + "/.config/graphflow/config.yaml" }
  }
}
