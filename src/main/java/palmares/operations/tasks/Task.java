package palmares.operations.tasks;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;

/**
 * A verb that somebody called, and what became of it.
 *
 * @param id null if it is a dry run, which is not stored
 * @param board null if it concerns no single one
 * @param period null if it concerns no single one
 * @param endedAt null while it runs
 * @param messages what it has done, or would do
 * @param next what can be done next
 * @param progress what it does, in the order of time
 * @param items on how many periods it works, which {@code tasks/ID/items} lists; null if it is
 *     about no list of periods
 * @param problem the type of the problem that ended it, as in a response; null if none did
 * @param detail what the problem is; null if there is none
 * @param secret the password or key that the verb made; null except in the answer to the call that
 *     made it
 * @param etag of what a dry run would change, for {@code If-Match}; null if it is no dry run, or
 *     what it is about has an ETag itself or none
 * @param pays what a dry run would pay; null if it is no dry run, or that is not computed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Task(
    @Nullable Long id,
    String verb,
    @Nullable String board,
    @Nullable String period,
    String by,
    String reason,
    Instant startedAt,
    @Nullable Instant endedAt,
    State state,
    List<Sentence> messages,
    List<Next> next,
    List<Sentence> progress,
    @Nullable Long items,
    @Nullable String problem,
    @Nullable Sentence detail,
    @Nullable String secret,
    @Nullable String etag,
    @Nullable ExpectedPayout pays) {
  public Task {
    messages = List.copyOf(messages);
    next = List.copyOf(next);
    progress = List.copyOf(progress);
  }

  /** The same with what other work has made of it. */
  Task continued(ContinuedTasks.Continued since) {
    Result result = since.result();
    return new Task(
        id,
        verb,
        board,
        period,
        by,
        reason,
        startedAt,
        since.endedAt(),
        result.state(),
        result.messages(),
        result.next(),
        progress,
        items,
        null,
        null,
        null,
        null,
        null);
  }

  /** The same with a secret, for the one caller who gets it. */
  Task with(String secret) {
    return new Task(
        id, verb, board, period, by, reason, startedAt, endedAt, state, messages, next, progress,
        items, problem, detail, secret, etag, pays);
  }

  /** What became of a task. */
  public enum State implements Choice {
    /**
     * Its process works on it, and renews its heartbeat. The end of the verb moves it on; a process
     * that dies makes it abandoned, or leaves it to a scheduler if it has items.
     */
    @JsonProperty("running")
    RUNNING,
    /** The verb did all that was asked for. Final. */
    @JsonProperty("done")
    DONE,
    /** Done as far as it goes: a person must approve or reject the rest. */
    @JsonProperty("held")
    HELD,
    /** It ended with a problem, or some of its periods failed. */
    @JsonProperty("failed")
    FAILED,
    /**
     * The process that ran it has ended, and nothing else has done what was asked for. The same
     * call goes on from what is stored.
     */
    @JsonProperty("abandoned")
    ABANDONED
  }

  /** Whether it has ended. */
  @JsonIgnore
  public boolean isOver() {
    return state != State.RUNNING;
  }

  /** Whether a caller who has seen some lines of its progress has not seen all of it. */
  boolean hasNews(int seen) {
    return isOver() || progress.size() > seen;
  }
}
