/// The classification of an error by others: Meta's pages, Meta's SDKs, established libraries.
package struct ExternalVerdict: Hashable, Sendable {
  package let judge: String
  package let verdict: String
  /// Nil if no category corresponds to the verdict.
  package let category: ErrorCategory?
  package let source: String
}

extension ExternalVerdict {
  private typealias Word = (verdict: String, category: ErrorCategory?)

  private init(_ judge: String, _ word: Word, from source: String) {
    self.init(judge: judge, verdict: word.verdict, category: word.category, source: source)
  }

  /// The verdicts on an error of type `OAuthException`, as nearly all errors are.
  ///
  /// None of them considers the HTTP status, or separates whether a retry is safe.
  package static func all(code: Int, subcode: Int?) -> [ExternalVerdict] {
    [
      Self("Meta's pages", pages(code), from: "error handling guide; rate limits page"),
      Self("iOS SDK", ios(code), from: "facebook-ios-sdk, FBSDKErrorConfiguration.m"),
      Self(
        "Android SDK", android(code),
        from: "facebook-android-sdk, FacebookRequestErrorClassification.kt"),
      Self("PHP SDK", php(code, subcode), from: "php-graph-sdk, FacebookResponseException.php"),
      Self("Koala", koala(code), from: "koala, graph_error_checker.rb"),
      Self("Airbyte", airbyte(code, subcode), from: "Airbyte's Facebook Marketing connector"),
    ]
  }

  private static func pages(_ code: Int) -> Word {
    switch code {
    case 1, 2: ("temporary: wait and send again", .transient)
    case 3: ("a capability or permission is missing", .other)
    case 4, 17, 32, 341, 613, 80_000...80_014: ("too many calls: wait", .transient)
    case 10, 200...299: ("a permission is missing: grant it", .recoverable)
    case 102, 190: ("get a new token", .recoverable)
    case 368: ("blocked for a while: wait and send again", .transient)
    case 506: ("a duplicate: change the content", .other)
    case 1_609_005: ("the link cannot be read: check it", .other)
    default: ("nothing", nil)
    }
  }

  private static func ios(_ code: Int) -> Word {
    switch code {
    case 102, 190: ("recoverable", .recoverable)
    case 1, 2, 4, 9, 17, 341: ("transient", .transient)
    default: ("other", .other)
    }
  }

  private static func android(_ code: Int) -> Word {
    switch code {
    case 102, 190, 412: ("login_recoverable", .recoverable)
    case 2, 4, 9, 17, 341: ("transient", .transient)
    default: ("other", .other)
    }
  }

  private static func php(_ code: Int, _ subcode: Int?) -> Word {
    switch (code, subcode) {
    case (_, 458), (_, 459), (_, 460), (_, 463), (_, 464), (_, 467):
      ("authentication", .recoverable)
    case (100, _), (102, _), (190, _): ("authentication", .recoverable)
    case (1, _), (2, _): ("server", .transient)
    case (4, _), (17, _), (32, _), (341, _), (613, _): ("throttle", .transient)
    case (506, _): ("client", .other)
    case (10, _), (200...299, _): ("authorization", .recoverable)
    default: ("authentication, its default for unknown errors", .recoverable)
    }
  }

  private static func koala(_ code: Int) -> Word {
    switch code {
    case 102, 190, 450, 452, 2500: ("authentication", .recoverable)
    default: ("client, or server by the status", nil)
    }
  }

  private static func airbyte(_ code: Int, _ subcode: Int?) -> Word {
    switch (code, subcode) {
    case (2, _), (4, _), (17, _), (32, _), (104, _), (613, _), (960, _), (80_000...80_006, _),
      (80_008, _), (_, 99):
      ("sent again", .transient)
    // It has no concept of recovery, so there is no category for recoverable errors.
    case (102, _), (190, _): ("sent again only after a status of 500", nil)
    default: ("sent again only after a status of 500", .other)
    }
  }
}
