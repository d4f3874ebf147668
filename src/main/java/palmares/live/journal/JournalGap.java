package palmares.live.journal;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.live.board.JournalEntry;
import palmares.live.board.LiveEntry;
import palmares.live.journal.MissingEvents.Numbers;
import palmares.period.Period;
import palmares.period.Repair;
import palmares.platform.Refusal;

/** Reports that a live board and its journal disagree; the period cannot be settled then. */
public final class JournalGap extends Refusal implements Repair.Needed {
  private final boolean wentBack;
  private final transient @Nullable Numbers missing;

  private JournalGap(String message, boolean wentBack, @Nullable Numbers missing) {
    super(Reason.EVENTS_MISSING, message);
    this.wentBack = wentBack;
    this.missing = missing;
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
    MissingEvents missing =
        MissingEvents.of(List.of(new Numbers(expected, found - 1)), List.of(), 0);
    return new JournalGap(
        ("the journal of %s goes on with event %d where %d should follow: neither PostgreSQL nor"
                + " Redis has %s%s")
            .formatted(period.label(), found, expected, missing.words(), remedy(period)),
        false,
        missing.numbers().get(0));
  }

  static JournalGap ended(Period period, long last, long decided) {
    MissingEvents missing = MissingEvents.of(List.of(new Numbers(last + 1, decided)), List.of(), 0);
    return new JournalGap(
        ("the journal of %s ends with event %d, and its live board has decided %d: neither"
                + " PostgreSQL nor Redis has %s%s")
            .formatted(period.label(), last, decided, missing.words(), remedy(period)),
        false,
        missing.numbers().get(0));
  }

  static JournalGap rewritten(Period period, JournalEntry redis) {
    return wentBack(
        period,
        "event %d of %s was decided again, as %s"
            .formatted(redis.seq(), period.label(), describe(redis)));
  }

  /**
   * Returns the failure that events are in neither store.
   *
   * @param last says which event is the last that PostgreSQL has
   */
  public static JournalGap missing(Period period, MissingEvents missing, String last) {
    return new JournalGap(
        ("%s: neither PostgreSQL nor the journal in Redis has %s, which the live board has decided;"
                + " %s%s")
            .formatted(period.label(), missing.words(), last, remedy(period)),
        false,
        missing.numbers().isEmpty() ? null : missing.numbers().get(0));
  }

  private static String remedy(Period period) {
    return ("; nobody is paid from it; restore one of them to a state that has all events, or give"
            + " the missing ones up:"
            + " 'palmares rebuild %s --replace --accept-loss --reason TEXT'")
        .formatted(period.label());
  }

  static JournalGap other(Period period, JournalEntry redis, @Nullable LiveEntry stored) {
    return wentBack(
        period,
        "event %d of %s is %s in Redis and %s in PostgreSQL"
            .formatted(
                redis.seq(),
                period.label(),
                describe(redis),
                stored == null ? "none" : describe(stored)));
  }

  static JournalGap repeated(Period period, LiveEntry redis) {
    return wentBack(
        period,
        "event %d of %s, '%s', is in PostgreSQL under another number"
            .formatted(redis.seq(), period.label(), redis.id()));
  }

  static JournalGap wentBack(Period period, long position, long decided) {
    return wentBack(
        period,
        "the live board of %s has decided %d events, and PostgreSQL has %d of it"
            .formatted(period.label(), decided, position));
  }

  private static JournalGap wentBack(Period period, String difference) {
    return new JournalGap(
        ("%s: Redis went back to an earlier state; nobody is paid from it, and its journal is kept;"
                + " 'palmares rebuild %s --replace' rebuilds the live board")
            .formatted(difference, period.label()),
        true,
        null);
  }

  /** Says that Redis went back, for a period such as {@code invites 2026-W43}. */
  static String wentBackSentence(String label) {
    return ("Redis went back to an earlier state of the live board of %1$s; nobody is paid from it,"
            + " and its journal is kept; 'palmares rebuild %1$s --replace' rebuilds the live board")
        .formatted(label);
  }

  private static String describe(JournalEntry entry) {
    try {
      return describe(entry.decode());
    } catch (JournalEntry.Undecodable e) {
      return "unreadable";
    }
  }

  private static String describe(LiveEntry event) {
    return "'%s' by %s at %s, %s with %+d points"
        .formatted(
            event.id(), event.member(), event.occurredAt(), event.outcome().word(), event.points());
  }
}
