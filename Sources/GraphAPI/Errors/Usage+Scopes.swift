/// Which percents are about whose limit.
extension Usage {
  /// The highest percent of the app's own limit.
  package var appPercentage: Double? { app?.highest }

  /// The highest percent of the limits of the token that asked: the page's and the ad account's,
  /// which the headers do not name.
  package var tokenPercentage: Double? {
    [page?.highest, adAccount, adsInsights].compactMap(\.self).max()
  }

  /// How long the ad account of the token wants to be left alone.
  package var tokenPause: Duration? {
    guard let adAccount, adAccount >= 100, let adAccountReset, adAccountReset > .zero else {
      return nil
    }
    return adAccountReset
  }
}

extension Usage.BusinessUseCase {
  /// The highest of the percents.
  package var percentage: Double? { load.highest }
}
