/// The usage by scope of the limit.
extension Usage {
  /// The highest percentage of the app's limit.
  package var appPercentage: Double? { app?.highest }

  /// The highest percentage of the limits of the request's token: its page and its ad account, which
  /// the headers do not name.
  package var tokenPercentage: Double? {
    [page?.highest, adAccount, adsInsights].compactMap(\.self).max()
  }

  /// How long calls for the token's ad account have to pause; nil if they need not.
  package var tokenPause: Duration? {
    guard let adAccount, adAccount >= 100, let adAccountReset, adAccountReset > .zero else {
      return nil
    }
    return adAccountReset
  }
}

extension Usage.BusinessUseCase {
  /// The highest of the percentages.
  package var percentage: Double? { load.highest }
}
