package palmares.settlement.outbox;

import static java.time.temporal.ChronoUnit.MINUTES;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.platform.Refusal;
import palmares.settlement.wallet.WalletComparisons;
import palmares.settlement.wallet.WalletFindings;
import palmares.settlement.wallet.WalletSentences;
import palmares.settlement.wallet.WalletSettings;

/**
 * Compares the list that a wallet offers with the awards, once a night, and finds the awards that
 * the wallet did not confirm in time.
 *
 * <p>The list is read day by day, and a day that is too long for one list by halves. The last week
 * is compared again each night, because a wallet that repeats its work after an outage credits
 * twice what was right before.
 */
@Component
public class NightlyComparison {
  private static final Duration COMPARED_AGAIN = Duration.ofDays(7);
  private static final Duration MAX_TIME_LOOKED_AT = Duration.ofDays(40);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Duration SHORTEST = Duration.ofHours(1);

  /** The wallet may have got an award at another time by its own clock. */
  private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(5);

  private final WalletPages pages;
  private final WalletComparisons comparisons;
  private final WalletFindings findings;
  private final WalletSettings settings;
  private final TransactionTemplate transaction;
  private final Clock clock;

  NightlyComparison(
      WalletPages pages,
      WalletComparisons comparisons,
      WalletFindings findings,
      WalletSettings settings,
      TransactionTemplate transaction,
      Clock clock) {
    this.pages = pages;
    this.comparisons = comparisons;
    this.findings = findings;
    this.settings = settings;
    this.transaction = transaction;
    this.clock = clock;
  }

  /** Compares what has not been compared, and the last week again; keeps why it could not. */
  public void run() {
    if (pages.isConfigured()) {
      compare();
    }
    findings.findUnconfirmed(); // The list may have confirmed some.
  }

  private void compare() {
    Instant until = clock.instant().minus(settings.confirmWithin()).truncatedTo(MINUTES);
    Instant from = since(until);
    while (from.isBefore(until)) {
      Instant to = earlier(from.plus(LONGEST), until);
      try {
        compare(from, to);
      } catch (Refusal e) {
        Instant failed = from;
        transaction.executeWithoutResult(status -> comparisons.fail(failed, until, e.said()));
        return;
      }
      from = to;
    }
  }

  private Instant since(Instant until) {
    Instant last = comparisons.comparedUntil().orElse(Instant.MIN);
    Instant again = earlier(last, until.minus(COMPARED_AGAIN));
    Instant first = until.minus(MAX_TIME_LOOKED_AT);
    return again.isBefore(first) ? first : again;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private void compare(Instant from, Instant to) {
    try {
      String list = pages.read(from.minus(CLOCK_DIFFERENCE), to.plus(CLOCK_DIFFERENCE));
      transaction.executeWithoutResult(status -> comparisons.compareNightly(list, from, to));
    } catch (Refusal e) {
      Duration half = Duration.between(from, to).dividedBy(2);
      if (!WalletSentences.isTooLong(e.said()) || half.compareTo(SHORTEST) < 0) {
        throw e;
      }
      Instant middle = from.plus(half).truncatedTo(MINUTES);
      compare(from, middle);
      compare(middle, to);
    }
  }
}
