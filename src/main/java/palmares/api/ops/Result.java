package palmares.api.ops;

import java.util.ArrayList;
import java.util.List;

/** How a task ended: its state, and sentences about it. */
record Result(Task.State state, List<String> messages) {
  Result {
    messages = List.copyOf(messages);
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
    return new Result(state, all);
  }
}
