package palmares.settlement.outbox;

import static java.time.temporal.ChronoUnit.MINUTES;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.platform.threads.Outages;
import palmares.settlement.outbox.WalletPages.NoList;
import palmares.settlement.wallet.WalletComparisons;
import palmares.settlement.wallet.WalletFindings;
import palmares.settlement.wallet.WalletNight;
import palmares.settlement.wallet.WalletSentences;
import palmares.settlement.wallet.WalletSettings;

/**
 * Compares the list that a wallet offers with the awards, once a night, and finds the awards that
 * the wallet did not confirm in time.
 *
 * <p>The list is read day by day, and a day that is too long for one list by halves: first what is
 * new, the oldest first, so that a night goes on where another had to end. Then the last week is
 * compared again, because a wallet that repeats its work after an outage credits twice what was
 * right before. A part that cannot be compared keeps none of the others from it.
 */
@Component
public class NightlyComparison {
  private static final Logger LOG = LoggerFactory.getLogger(NightlyComparison.class);
  private static final Duration COMPARED_AGAIN = Duration.ofDays(7);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Duration SHORTEST = Duration.ofHours(1);

  /** The digest waits for it. */
  private static final Duration MAX_TIME = Duration.ofMinutes(10);

  /** A wallet that has not answered so often, one after the other, is not asked for each day. */
  private static final int MAX_OUTAGES = 3;

  private final WalletPages pages;
  private final WalletComparisons comparisons;
  private final WalletFindings findings;
  private final WalletSettings settings;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final LongSupplier nanos;
  private volatile boolean stops;

  @Autowired
  NightlyComparison(
      WalletPages pages,
      WalletComparisons comparisons,
      WalletFindings findings,
      WalletSettings settings,
      TransactionTemplate transaction,
      Clock clock) {
    this(pages, comparisons, findings, settings, transaction, clock, System::nanoTime);
  }

  /**
   * @param nanos a monotonic clock, as {@link System#nanoTime}
   */
  NightlyComparison(
      WalletPages pages,
      WalletComparisons comparisons,
      WalletFindings findings,
      WalletSettings settings,
      TransactionTemplate transaction,
      Clock clock,
      LongSupplier nanos) {
    this.nanos = nanos;
    this.pages = pages;
    this.comparisons = comparisons;
    this.findings = findings;
    this.settings = settings;
    this.transaction = transaction;
    this.clock = clock;
  }

  /** A server that stops waits for no wallet. */
  @EventListener(ContextClosedEvent.class)
  void stop() {
    stops = true;
  }

  /**
   * Compares what has not been compared, and the last week again; keeps why it could not. Nothing
   * about the wallet keeps a caller from going on.
   */
  public void run() {
    if (pages.isConfigured()) {
      try {
        compare();
      } catch (RuntimeException e) {
        log(e);
      }
    }
    findings.findUnconfirmed(); // The list may have confirmed some.
  }

  private void compare() {
    Instant until = clock.instant().minus(settings.confirmWithin()).truncatedTo(MINUTES);
    Instant first = until.minus(WalletFindings.MAX_TIME_LOOKED_AT);
    Instant last = earlier(later(comparisons.comparedUntil().orElse(first), first), until);
    Instant since = earlier(last, until.minus(COMPARED_AGAIN));
    Instant begin = later(comparisons.firstPosted(since, until), first);
    // The first awards of an outcome may have come before, and the last ones are compared now. If
    // the last night got no further, there is no time to look back.
    Instant start =
        comparisons.lastNightGotFurther()
            ? later(comparisons.firstPosted(last, until), first)
            : last;
    var reading = new Reading(new WalletNight(since, until), last);
    for (Instant from = start; from.isBefore(until); from = from.plus(LONGEST)) {
      reading.read(from, earlier(from.plus(LONGEST), until));
    }
    for (Instant to = start; to.isAfter(begin); to = to.minus(LONGEST)) {
      reading.read(later(to.minus(LONGEST), begin), to);
    }
    if (!stops) {
      transaction.executeWithoutResult(status -> comparisons.end(reading.night));
    }
  }

  private static void log(RuntimeException e) {
    LOG.error("the wallet's list was not compared: {}", Outages.reason(e));
    LOG.debug("the wallet's list was not compared", e);
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
    private final long beganNanos = nanos.getAsLong();
    private @Nullable Sentence over;
    private int outages;

    /**
     * @param compared from when on it is new
     */
    Reading(WalletNight night, Instant compared) {
      this.night = night;
      this.compared = compared;
    }

    /** Reads a part of the time. What is left out when a night must end is read in the next one. */
    void read(Instant from, Instant to) {
      if (nanos.getAsLong() - beganNanos > MAX_TIME.toNanos()) {
        over = new WalletSentences.LongNight(MAX_TIME.toMinutes());
      }
      if (over != null || stops) {
        leave(from, to);
        return;
      }
      try {
        String list = pages.read(from, to);
        transaction.executeWithoutResult(status -> comparisons.compare(list, night));
        night.addPart(from, to);
        outages = 0;
      } catch (NoList e) {
        outages++;
        night.fail(from, to, e.said());
        over = outages == MAX_OUTAGES ? e.said() : null;
      } catch (Refusal e) {
        refused(from, to, e.said());
      } catch (RuntimeException e) {
        log(e);
        night.fail(from, to, Refusal.said(e));
      }
    }

    private void refused(Instant from, Instant to, Sentence why) {
      Duration half = Duration.between(from, to).dividedBy(2);
      if (WalletSentences.isTooLong(why) && half.compareTo(SHORTEST) >= 0) {
        Instant middle = from.plus(half).truncatedTo(MINUTES);
        read(from, middle);
        read(middle, to);
      } else if (why instanceof WalletSentences.TooManyInOneNight) {
        over = why;
        leave(from, to);
      } else {
        night.fail(from, to, why);
      }
    }

    /** What was compared before is compared again as far as there is time. */
    private void leave(Instant from, Instant to) {
      if (over != null && to.isAfter(compared)) {
        night.fail(later(from, compared), to, over);
      }
    }
  }
}
