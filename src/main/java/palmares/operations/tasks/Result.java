package palmares.operations.tasks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;

/**
 * How a task ended: its state, what is said about it, and what can be done next.
 *
 * @param changes what the verb changes; null if the ETag of its dry run is not computed from that
 * @param pays what its dry run would pay; null if that is not computed
 */
public record Result(
    Task.State state,
    List<Sentence> messages,
    List<Next> next,
    @Nullable Supplier<List<String>> changes,
    @Nullable ExpectedPayout pays) {
  public Result {
    messages = List.copyOf(messages);
    next = List.copyOf(next);
  }

  public Result(Task.State state, List<? extends Sentence> messages) {
    this(state, List.copyOf(messages), List.of(), null, null);
  }

  public static Result done(Sentence... messages) {
    return new Result(Task.State.DONE, List.of(messages));
  }

  public static Result held(Sentence... messages) {
    return new Result(Task.State.HELD, List.of(messages));
  }

  /** The same with more sentences after those of this one. */
  public Result and(List<? extends Sentence> more) {
    var all = new ArrayList<>(messages);
    all.addAll(more);
    return new Result(state, all, next, changes, pays);
  }

  /** The same with what can be done next. */
  public Result then(Next... steps) {
    return then(List.of(steps));
  }

  /** The same with what can be done next. */
  public Result then(List<Next> steps) {
    return new Result(state, messages, steps, changes, pays);
  }

  /**
   * The same with what the verb changes: each object in its present version, and what becomes of
   * it. The ETag of a dry run is computed from that, and an act with this ETag changes the same or
   * nothing. So it has no times and numbers that another dry run would not have.
   *
   * @param changes is called in the transaction of the verb, if there is an ETag
   */
  public Result changing(Supplier<List<String>> changes) {
    return new Result(state, messages, next, changes, pays);
  }

  /** The same of a dry run that would pay something. */
  public Result paying(ExpectedPayout expected) {
    return new Result(state, messages, next, changes, expected);
  }
}
