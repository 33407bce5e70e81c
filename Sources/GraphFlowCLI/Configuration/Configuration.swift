import GraphAPI

/// What `graphflow/config.yaml` says; flags and the environment win over it.
struct Configuration: Sendable {
  /// Where tokens come from, by the profile's name.
  var profiles: [String: TokenSource] = [:]
  /// Where the Graph API is.
  var graphURL: GraphURL?
  /// The Graph version of workflows that name none.
  var version: GraphVersion?
  /// The path of the certificates that are trusted instead of the system's, as it is written.
  var certificateFile: String?
  /// The app that tokens belong to.
  var appID: String?

  /// Where the configuration is looked for: the XDG config directory, usually `~/.config`.
  ///
  /// `nil` if there is neither `XDG_CONFIG_HOME` nor `HOME`. The XDG specification has relative
  /// paths ignored.
  static var path: String? {
    if let folder = Environment.value("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      return folder + "/graphflow/config.yaml"
    }
    return Environment.value("HOME").map { $0 + "/.config/graphflow/config.yaml" }
  }
}
