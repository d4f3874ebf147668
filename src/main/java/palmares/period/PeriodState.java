package palmares.period;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import palmares.platform.text.Choice;

/**
 * The state of a period. The row's state, not the records of Quartz or Spring Batch, decides which
 * step comes next.
 *
 * <p>The closing job runs {@code SealStep}, {@code DrainStep}, {@code FillStep} and {@code
 * PayStep}. It is started by schedulers and by {@code palmares close}. A step that fails leaves the
 * state as it was; the next closing goes on from there.
 */
public enum PeriodState implements Choice {
  /**
   * The period takes events on its live board. It ends when {@code SealStep} runs after the
   * period's end and grace.
   */
  OPEN("takes events"),

  /**
   * The live board is frozen and its population is recorded. It ends when {@code DrainStep} has
   * stored the rest of the journal and {@code FillStep} has computed the outcome. While {@code
   * palmares rebuild} restores a lost live board, the period stays in this state.
   */
  SEALED("population fixed"),

  /**
   * The outcome has every line, rank and pending payment, and agrees with the journal. Nothing is
   * paid. {@code PayStep} ends it: it holds the period if the rules require approval, otherwise it
   * approves and pays in one transaction.
   */
  FILLED("nothing paid yet"),

  /**
   * The outcome needs approval. A person ends it with {@code palmares approve} or {@code palmares
   * reject}. If the period has a time of release, {@code PayStep} approves it at that time, unless
   * it exceeds a budget by then.
   */
  HELD("needs approval"),

  /**
   * A person refused the outcome; it stays unpaid and the sweep skips it. {@code palmares restart}
   * ends it: the outcome is computed again.
   */
  REJECTED("stays unpaid"),

  /** The outcome is approved and nothing is paid yet. {@code PayStep} ends it by posting. */
  APPROVED("nothing paid yet"),

  /**
   * The outcome is posted: payments are final and visible. The expiry job, or {@code palmares close
   * --due}, ends it after the retention, once no amendment is pending and the period verifies.
   * Amendments change the revision, not the state.
   */
  SETTLED("paid and final"),

  /**
   * The live keys have been removed from Redis; the history in PostgreSQL is kept. No state
   * follows; an amendment still changes the revision.
   */
  EXPIRED("removed from Redis");

  /**
   * A transition that the state machine allows.
   *
   * @param step names the step, or the command that a person runs
   */
  public record Transition(PeriodState from, PeriodState to, String step) {}

  /**
   * Every transition between different states. {@link Transitions} makes no other, but may make an
   * approval and the payment in one statement.
   */
  public static final List<Transition> TRANSITIONS =
      List.of(
          new Transition(OPEN, SEALED, "seal"),
          new Transition(SEALED, FILLED, "drain, fill"),
          new Transition(FILLED, HELD, "hold"),
          new Transition(FILLED, APPROVED, "approve"),
          new Transition(HELD, APPROVED, "approve"),
          new Transition(HELD, REJECTED, "reject"),
          new Transition(REJECTED, SEALED, "restart"),
          new Transition(APPROVED, SETTLED, "pay"),
          new Transition(SETTLED, EXPIRED, "expire"));

  /** The word that people are shown for an open period that has not begun. */
  public static final String UPCOMING = "upcoming";

  private final String summary;

  PeriodState(String summary) {
    this.summary = summary;
  }

  /** A few words for the state diagram. */
  public String summary() {
    return summary;
  }

  public static PeriodState of(String word) {
    return Choice.of(PeriodState.class, word);
  }

  /** The words that people are shown: {@link #UPCOMING}, and those of the states. */
  public static List<String> shownWords() {
    return Stream.concat(Stream.of(UPCOMING), Stream.of(values()).map(Choice::word)).toList();
  }

  /** The word that people are shown for a period in this state. */
  public String shownWord(Instant startsAt, Instant now) {
    return this == OPEN && now.isBefore(startsAt) ? UPCOMING : word();
  }

  /** Whether the period stays in this state until a person acts. */
  public boolean needsPerson() {
    return switch (this) {
      case HELD, REJECTED -> true;
      case OPEN, SEALED, FILLED, APPROVED, SETTLED, EXPIRED -> false;
    };
  }

  /** Whether its live board has been sealed. */
  public boolean isSealed() {
    return switch (this) {
      case OPEN -> false;
      case SEALED, FILLED, HELD, REJECTED, APPROVED, SETTLED, EXPIRED -> true;
    };
  }

  /** Whether its outcome has been filled, and agrees with the journal. */
  public boolean isFilled() {
    return switch (this) {
      case OPEN, SEALED -> false;
      case FILLED, HELD, REJECTED, APPROVED, SETTLED, EXPIRED -> true;
    };
  }

  /** Whether its outcome has been posted: it is paid, final and visible. */
  public boolean isSettled() {
    return switch (this) {
      case OPEN, SEALED, FILLED, HELD, REJECTED, APPROVED -> false;
      case SETTLED, EXPIRED -> true;
    };
  }

  /** Whether its live keys have been removed from Redis. */
  public boolean isExpired() {
    return switch (this) {
      case OPEN, SEALED, FILLED, HELD, REJECTED, APPROVED, SETTLED -> false;
      case EXPIRED -> true;
    };
  }
}
