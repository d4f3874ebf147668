package palmares.settlement.closing.record;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.batch.core.step.StepExecution;

/** What of a job under way is not written yet. */
final class UnwrittenRecords {
  private final Queue<Long> ids;
  private final Set<Long> known = new HashSet<>();
  private final Map<Long, StepExecution> changed = new LinkedHashMap<>();

  /**
   * @param ids of the steps to come
   */
  UnwrittenRecords(Collection<Long> ids) {
    this.ids = new ArrayDeque<>(ids);
  }

  /** The id of a new step; asks for more if there are none left. */
  synchronized long nextStep(Supplier<List<Long>> more) {
    if (ids.isEmpty()) {
      ids.addAll(more.get());
    }
    return ids.remove();
  }

  /**
   * Keeps in mind that it has changed.
   *
   * @return whether it is new
   */
  synchronized boolean add(StepExecution step) {
    changed.put(step.getId(), step);
    return known.add(step.getId());
  }

  /** All that has changed, in the order of its beginning; it is written from now on. */
  synchronized List<StepExecution> take() {
    var all = new ArrayList<>(changed.values());
    changed.clear();
    return all;
  }
}
