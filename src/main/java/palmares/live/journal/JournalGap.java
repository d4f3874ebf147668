package palmares.live.journal;

import org.jspecify.annotations.Nullable;
import palmares.live.board.JournalEntry;
import palmares.live.board.LiveEntry;
import palmares.period.Period;
import palmares.period.Repair;
import palmares.platform.Refusal;

/** Reports that Redis lost events that it had decided; the period cannot be settled then. */
public final class JournalGap extends Refusal implements Repair.Needed {
  private final boolean wentBack;

  private JournalGap(String message, boolean wentBack) {
    super(Reason.EVENTS_MISSING, message);
    this.wentBack = wentBack;
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
    return new JournalGap(
        ("the journal of %s goes on with event %d where %d should follow: Redis lost events;"
                + " nobody is paid from it")
            .formatted(period.label(), found, expected),
        false);
  }

  static JournalGap ended(Period period, long last, long decided) {
    return new JournalGap(
        ("the journal of %s ends with event %d, and its live board has decided %d: events are"
                + " neither in Redis nor in PostgreSQL; nobody is paid from it")
            .formatted(period.label(), last, decided),
        false);
  }

  static JournalGap rewritten(Period period, JournalEntry redis) {
    return wentBack(
        period,
        "event %d of %s was decided again, as %s"
            .formatted(redis.seq(), period.label(), describe(redis)));
  }

  /** Returns the failure that the live board has decided more events than the journals hold. */
  public static JournalGap behind(Period period, long reached, long decided) {
    return new JournalGap(
        ("%s: the live board has decided %d events, but its journal and PostgreSQL hold only %d;"
                + " the others would be lost, so the board is not changed")
            .formatted(period.label(), decided, reached),
        false);
  }

  /** Returns the failure that decided events are neither in the journal nor in PostgreSQL. */
  public static JournalGap lost(Period period, long events, String first) {
    return new JournalGap(
        ("%s: the live board has decided %d events that are neither in its journal nor in"
                + " PostgreSQL, first '%s'; they would be lost, so the board is not changed")
            .formatted(period.label(), events, first),
        false);
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
        true);
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
