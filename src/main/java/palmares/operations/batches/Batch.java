package palmares.operations.batches;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.operations.tasks.Task;
import palmares.period.PeriodId;
import palmares.platform.text.Choice;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Sentence;

/**
 * A task with items: one verb over many periods.
 *
 * @param id the number of the task
 * @param target what the person named
 * @param of the batch whose outcomes are decided on; null for other verbs
 * @param digest of what the approving person was shown; null for other verbs
 * @param endedAt when every item was tried; null before
 */
public record Batch(
    long id,
    Verb verb,
    Sentence target,
    @Nullable Long of,
    @Nullable String digest,
    String by,
    String reason,
    Instant madeAt,
    @Nullable Instant endedAt,
    Counts counts) {
  public enum Verb implements Choice {
    /** Prepares an amendment, which a person must approve. */
    AMEND,
    /** Approves what another batch has prepared or left held. */
    APPROVE,
    /** Rejects what another batch has prepared or left held. */
    REJECT,
    /** Closes the period. */
    CLOSE,
    /** Restarts a closing that failed or was rejected. */
    RESTART;

    /** The verb of the task. */
    public String ofTask() {
      return word() + "-batch";
    }

    /** The role that it takes to begin such a batch, and to go on with it. */
    public String role() {
      return this == APPROVE || this == REJECT ? "approver" : "operator";
    }
  }

  /** Whether a person decides on amendments that it has prepared. */
  boolean hasPrepared() {
    return verb == Verb.AMEND && counts.done() > 0;
  }

  /** What has become of it, once every item was tried. */
  Task.State outcome() {
    if (counts.pending() + counts.failed() + counts.refused() > 0) {
      return Task.State.FAILED;
    }
    return hasPrepared() || counts.held() > 0 ? Task.State.HELD : Task.State.DONE;
  }

  public enum State implements Choice {
    /** Not worked on yet, or held by another process, or behind a failed period of its board. */
    PENDING,
    /** Done; an amendment is prepared, a closing is settled, a decision has its effect. */
    DONE,
    /** An amendment would change nothing, so there is none. */
    UNCHANGED,
    /** Needs a person's approval, or a second person's. */
    HELD,
    /** Cannot be done; the message says why. It is not tried again. */
    REFUSED,
    /** Failed; tried again when the batch is resumed, and before later periods of its board. */
    FAILED
  }

  record NoPeriods() implements Sentence {}

  record Counted(long periods, State state) implements Sentence {}

  /** Says how many of its periods are in each state. */
  public record Counts(
      long pending, long done, long unchanged, long held, long refused, long failed) {
    public long all() {
      return pending + worked();
    }

    public long worked() {
      return done + unchanged + held + refused + failed;
    }

    /** The states that occur. */
    public Sentence said() {
      List<Sentence> states =
          Arrays.stream(State.values())
              .filter(state -> of(state) > 0)
              .<Sentence>map(state -> new Counted(of(state), state))
              .toList();
      return states.isEmpty() ? new NoPeriods() : new ListSentences.All(states);
    }

    private long of(State state) {
      return switch (state) {
        case PENDING -> pending;
        case DONE -> done;
        case UNCHANGED -> unchanged;
        case HELD -> held;
        case REFUSED -> refused;
        case FAILED -> failed;
      };
    }
  }

  /**
   * A period of a batch.
   *
   * @param n its number in the order of board and start, from 1
   * @param revision the revision that was prepared or held, or is decided on; null if none
   * @param digest of that revision when it was shown to the person who decides on it
   * @param message why it is held, refused, failed, or still pending; null otherwise
   * @param at when it was worked on; null before
   */
  public record Item(
      int n,
      PeriodId period,
      String board,
      String name,
      State state,
      @Nullable Integer revision,
      @Nullable String digest,
      @Nullable Sentence message,
      @Nullable Instant at) {
    /** The board and the period's name, as people write them. */
    public String label() {
      return board + " " + name;
    }
  }
}
