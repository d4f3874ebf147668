package palmares.live.journal;

import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.live.board.JournalEntry;
import palmares.live.board.LiveEntry;
import palmares.live.journal.MissingEvents.Numbers;
import palmares.period.Period;
import palmares.period.Repair;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;

/** Reports that a live board and its journal disagree; the period cannot be settled then. */
public final class JournalGap extends Refusal implements Repair.Needed {
  private final boolean wentBack;
  private final transient @Nullable Numbers missing;

  private JournalGap(Period period, Sentence said, boolean wentBack, @Nullable Numbers missing) {
    super(Problem.EVENTS_MISSING, said);
    this.wentBack = wentBack;
    this.missing = missing;
    then(repair().next(period.board(), period.name()));
  }

  /** The numbers of the first events that are in neither store; null if they are not known. */
  public @Nullable Numbers missing() {
    return missing;
  }

  /** Whether PostgreSQL has what Redis lost, so that a rebuild repairs the live board. */
  public boolean wentBack() {
    return wentBack;
  }

  @Override
  public Repair repair() {
    return wentBack ? Repair.REPLACE : Repair.ACCEPT_LOSS;
  }

  static JournalGap between(Period period, long expected, long found) {
    var missing = new Numbers(expected, found - 1);
    return new JournalGap(
        period,
        new JournalSentences.GoesOn(
            period.label(), found, expected, MissingEvents.said(List.of(missing))),
        false,
        missing);
  }

  static JournalGap ended(Period period, long last, long decided) {
    var missing = new Numbers(last + 1, decided);
    return new JournalGap(
        period,
        new JournalSentences.Ends(
            period.label(), last, decided, MissingEvents.said(List.of(missing))),
        false,
        missing);
  }

  static JournalGap rewritten(Period period, JournalEntry redis) {
    return wentBack(
        period, new JournalSentences.DecidedAgain(period.label(), redis.seq(), describe(redis)));
  }

  /**
   * Returns the failure that events are in neither store.
   *
   * @param last says which event is the last that PostgreSQL has
   */
  public static JournalGap missing(Period period, MissingEvents missing, @Nullable Sentence last) {
    return new JournalGap(
        period,
        new JournalSentences.Missing(period.label(), missing.said(), last),
        false,
        missing.numbers().isEmpty() ? null : missing.numbers().get(0));
  }

  static JournalGap other(Period period, JournalEntry redis, @Nullable LiveEntry stored) {
    return wentBack(
        period,
        new JournalSentences.Differs(
            period.label(),
            redis.seq(),
            describe(redis),
            stored == null ? new JournalSentences.Nothing() : describe(stored)));
  }

  static JournalGap repeated(Period period, LiveEntry redis) {
    return wentBack(
        period, new JournalSentences.Renumbered(period.label(), redis.seq(), redis.id()));
  }

  static JournalGap wentBack(Period period, long position, long decided) {
    return wentBack(period, new JournalSentences.Behind(period.label(), decided, position));
  }

  private static JournalGap wentBack(Period period, Sentence difference) {
    return new JournalGap(
        period, new JournalSentences.WentBack(period.label(), difference), true, null);
  }

  private static Sentence describe(JournalEntry entry) {
    try {
      return describe(entry.decode());
    } catch (JournalEntry.Undecodable e) {
      return new JournalSentences.Unreadable();
    }
  }

  private static Sentence describe(LiveEntry event) {
    return new JournalSentences.Event(
        event.id(),
        event.member(),
        event.occurredAt().atZone(ZoneOffset.UTC),
        event.outcome().word(),
        event.points());
  }
}
