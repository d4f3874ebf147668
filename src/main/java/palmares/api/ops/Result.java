package palmares.api.ops;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a task ended: its state, and sentences about it.
 *
 * @param changes what the verb changes; null if the ETag of its dry run is not computed from that
 * @param pays what its dry run would pay; null if that is not computed
 * @param batch the number of the batch that it is about; null for others
 */
record Result(
    Task.State state,
    List<String> messages,
    @Nullable Supplier<List<String>> changes,
    @Nullable ExpectedPayout pays,
    @Nullable Long batch) {
  Result {
    messages = List.copyOf(messages);
  }

  Result(Task.State state, List<String> messages) {
    this(state, messages, null, null, null);
  }

  static Result done(String... messages) {
    return new Result(Task.State.DONE, List.of(messages));
  }

  static Result held(String... messages) {
    return new Result(Task.State.HELD, List.of(messages));
  }

  /** The same with more sentences after those of this one. */
  Result and(List<String> more) {
    var all = new ArrayList<>(messages);
    all.addAll(more);
    return new Result(state, all, changes, pays, batch);
  }

  /**
   * The same with what the verb changes: each object in its present version, and what becomes of
   * it. The ETag of a dry run is computed from that, and an act with this ETag changes the same or
   * nothing. So it has no times and numbers that another dry run would not have.
   *
   * @param changes is called in the transaction of the verb, if there is an ETag
   */
  Result changing(Supplier<List<String>> changes) {
    return new Result(state, messages, changes, pays, batch);
  }

  /** The same of a dry run that would pay something. */
  Result paying(ExpectedPayout expected) {
    return new Result(state, messages, changes, expected, batch);
  }

  /** The same about a stored batch. */
  Result about(long stored) {
    return new Result(state, messages, changes, pays, stored);
  }
}
