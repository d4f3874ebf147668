package palmares.testing;

import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Supplier;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import palmares.api.roles.Caller;
import palmares.operations.batches.Batch;
import palmares.operations.batches.Batch.Verb;
import palmares.operations.batches.Batches;
import palmares.operations.batches.PeriodRange;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.ItemTasks;
import palmares.operations.tasks.TaskItems;
import palmares.operations.tasks.VerbRequest;

/** Begins batches as a call of the API does; the test runs them. */
public final class Acts {
  private final Batches batches;
  private final ItemTasks tasks;

  public Acts(Batches batches, ItemTasks tasks) {
    this.batches = batches;
    this.tasks = tasks;
  }

  public Batch amend(SortedSet<Long> exclusions, String by, String reason) {
    return begin(Verb.AMEND, by, reason, () -> batches.amend(exclusions));
  }

  public Batch close(PeriodRange range, String by, String reason) {
    return begin(Verb.CLOSE, by, reason, () -> batches.close(range));
  }

  public Batch restart(PeriodRange range, String by, String reason) {
    return begin(Verb.RESTART, by, reason, () -> batches.restart(range));
  }

  public Batch approve(long id, String expect, String by, String reason) {
    return decide(Verb.APPROVE, id, expect, by, reason);
  }

  public Batch reject(long id, String expect, String by, String reason) {
    return decide(Verb.REJECT, id, expect, by, reason);
  }

  private Batch decide(Verb verb, long id, String expect, String by, String reason) {
    Batch begun = batches.decision(verb, id, expect, by).batch();
    return begun != null && begun.endedAt() == null
        ? begun
        : begin(verb, by, reason, () -> batches.decide(verb, id, expect));
  }

  private Batch begin(Verb verb, String by, String reason, Supplier<TaskItems> items) {
    SecurityContext before = SecurityContextHolder.getContext();
    Caller caller = Caller.person(by, Set.of(), null, false);
    SecurityContextHolder.setContext(new SecurityContextImpl(caller.authentication()));
    try {
      var order = new VerbRequest(verb.ofTask(), null, null, reason, verb);
      long id =
          Objects.requireNonNull(
              tasks.begin(new Call(false, null, null), order, items, (begun, goesOn) -> true).id());
      return batches.get(id);
    } finally {
      SecurityContextHolder.setContext(before);
    }
  }
}
