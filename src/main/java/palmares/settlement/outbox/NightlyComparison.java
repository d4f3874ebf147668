package palmares.settlement.outbox;

import static java.time.temporal.ChronoUnit.MINUTES;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.settlement.wallet.WalletComparisons;
import palmares.settlement.wallet.WalletFindings;
import palmares.settlement.wallet.WalletNight;
import palmares.settlement.wallet.WalletSentences;
import palmares.settlement.wallet.WalletSettings;

/**
 * Compares the list that a wallet offers with the awards, once a night, and finds the awards that
 * the wallet did not confirm in time.
 *
 * <p>The list is read day by day, the last day first, and a day that is too long for one list by
 * halves. A part whose list cannot be compared keeps none of the others from it. The last week is
 * compared again each night, because a wallet that repeats its work after an outage credits twice
 * what was right before.
 */
@Component
public class NightlyComparison {
  private static final Duration COMPARED_AGAIN = Duration.ofDays(7);
  private static final Duration MAX_TIME_LOOKED_AT = Duration.ofDays(40);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Duration SHORTEST = Duration.ofHours(1);

  /** The wallet may have got an award at another time by its own clock. */
  private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(5);

  /** The digest waits for it. */
  private static final Duration MAX_TIME = Duration.ofMinutes(10);

  /** A wallet that does not answer is not asked for each day. */
  private static final int MAX_FAILURES = 3;

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
    Instant first = until.minus(MAX_TIME_LOOKED_AT);
    Instant last = later(comparisons.comparedUntil().orElse(first), first);
    Instant since = earlier(last, until.minus(COMPARED_AGAIN));
    Instant begin = later(comparisons.firstPosted(since, until), first);
    var reading = new Reading(new WalletNight(since, until), later(last, begin));
    for (Instant to = until; to.isAfter(begin); to = to.minus(LONGEST)) {
      reading.read(later(to.minus(LONGEST), begin), to);
    }
    transaction.executeWithoutResult(status -> comparisons.end(reading.night));
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isBefore(other) ? other : one;
  }

  /** The lists that were read in a night. */
  private final class Reading {
    private final WalletNight night;
    private final Instant compared;
    private final long beganNanos = System.nanoTime();
    private @Nullable Sentence stopped;
    private int failures;

    /**
     * @param compared until when nothing is new
     */
    Reading(WalletNight night, Instant compared) {
      this.night = night;
      this.compared = compared;
    }

    /** Reads a part of the time. What is left out when a night must end is read in the next one. */
    void read(Instant from, Instant to) {
      if (System.nanoTime() - beganNanos > MAX_TIME.toNanos()) {
        stopped = new WalletSentences.LongNight(MAX_TIME.toMinutes());
      }
      if (stopped != null) {
        if (to.isAfter(compared)) {
          night.fail(later(from, compared), to, stopped);
        }
        return;
      }
      try {
        String list = pages.read(from.minus(CLOCK_DIFFERENCE), to.plus(CLOCK_DIFFERENCE));
        transaction.executeWithoutResult(status -> comparisons.compare(list, night));
        night.read(from, to);
      } catch (Refusal e) {
        Duration half = Duration.between(from, to).dividedBy(2);
        if (WalletSentences.isTooLong(e.said()) && half.compareTo(SHORTEST) >= 0) {
          Instant middle = from.plus(half).truncatedTo(MINUTES);
          read(middle, to);
          read(from, middle);
        } else {
          fail(from, to, e.said());
        }
      }
    }

    private void fail(Instant from, Instant to, Sentence why) {
      failures++;
      if (failures == MAX_FAILURES || why instanceof WalletSentences.TooManyInOneNight) {
        stopped = why;
      }
      if (!(why instanceof WalletSentences.TooManyInOneNight) || to.isAfter(compared)) {
        night.fail(from, to, why);
      }
    }
  }
}
