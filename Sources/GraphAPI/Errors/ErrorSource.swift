/// A page or a project that the table names as a source.
package struct ErrorSource: Hashable, Sendable {
  /// Its name in the table.
  package let name: String
  package let address: String

  /// All named sources that have a URL.
  package static let all: [ErrorSource] = [
    page("error handling guide", "docs/graph-api/guides/error-handling"),
    page("rate limits page", "docs/graph-api/overview/rate-limiting"),
    page("marketing batch requests page", "docs/marketing-api/batch-requests"),
    page("example in batch requests", "docs/graph-api/batch-requests"),
    page("login for devices", "docs/facebook-login/for-devices"),
    page(
      "Instagram error codes page",
      "docs/instagram-platform/instagram-graph-api/reference/error-codes"),
    ErrorSource(
      name: "insights error codes page",
      address: "https://developers.facebook.com/documentation/ads-commerce/marketing-api/insights"
        + "/error-codes"),
    project("facebook-ios-sdk", "facebook/facebook-ios-sdk"),
    project("ios", "facebook/facebook-ios-sdk"),
    project("facebook-android-sdk", "facebook/facebook-android-sdk"),
    project("android", "facebook/facebook-android-sdk"),
    project("php-graph-sdk", "facebookarchive/php-graph-sdk"),
    project("php", "facebookarchive/php-graph-sdk"),
    project("koala issue 422", "arsduo/koala/issues/422"),
    project("koala", "arsduo/koala"),
    project("restfb", "restfb/restfb"),
    project("spring-social-facebook", "spring-projects/spring-social-facebook"),
    project("mobolic", "mobolic/facebook-sdk"),
    project("hello.js", "MrSwitch/hello.js/issues/548"),
    project(
      "facebook-java-business-sdk issue 136", "facebook/facebook-java-business-sdk/issues/136"),
    project("facebook-php-business-sdk issue 288", "facebook/facebook-php-business-sdk/issues/288"),
    project("facebook-python-business-sdk", "facebook/facebook-python-business-sdk"),
    project("postiz-app pull request 1681", "gitroomhq/postiz-app/pull/1681"),
    project("postiz-app pull request 2068", "gitroomhq/postiz-app/pull/2068"),
    project("Airbyte", "airbytehq/airbyte"),
    project("C# SDK", "facebook-csharp-sdk/facebook-csharp-sdk"),
    ErrorSource(name: "RFC 9110", address: "https://www.rfc-editor.org/rfc/rfc9110"),
  ]

  /// The sources that a text names.
  package static func named(in text: String) -> [ErrorSource] {
    var found: [ErrorSource] = []
    for source in all where text.contains(source.name) {
      let isPartOfAnother = found.contains { $0.name.contains(source.name) }
      if !isPartOfAnother { found.append(source) }
    }
    return found
  }

  private static func page(_ name: String, _ path: String) -> ErrorSource {
    ErrorSource(name: name, address: "https://developers.facebook.com/\(path)")
  }

  private static func project(_ name: String, _ path: String) -> ErrorSource {
    ErrorSource(name: name, address: "https://github.com/\(path)")
  }
}
