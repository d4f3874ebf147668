package palmares.api.ops;

import java.math.BigDecimal;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.text.Sentence;

/** What is said of payouts and of the ledger. */
interface PayoutSentences {
  record Kept(String currency, BigDecimal got, BigDecimal back, BigDecimal keep)
      implements Sentence {}

  record NotIncluded(long periods) implements Sentence {}

  record NotOver(String reference) implements Sentence {}

  record PayDifference(String by, ZonedDateTime at, long shared, long all) implements Sentence {}

  record PayRest(long files, String by, ZonedDateTime at, long shared, long all)
      implements Sentence {}

  record PayOne(String reference, long shared, String by, ZonedDateTime at) implements Sentence {}

  record MoreFiles(long files) implements Sentence {}

  record MoreLines(long lines) implements Sentence {}

  record EarlierLines(long lines) implements Sentence {}

  record NotPosted(String period, int revision) implements Sentence {}

  record Balance(String currency, BigDecimal sum) implements Sentence {}

  record NoAccount(
      String account,
      @Nullable OfKind kind,
      @Nullable InCurrency currency,
      @Nullable DidYouMean hint)
      implements Sentence {}

  record OfKind(String kind) implements Sentence {}

  record InCurrency(String currency) implements Sentence {}

  record LastAlone() implements Sentence {}
}
