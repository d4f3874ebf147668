package palmares.closing;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import palmares.period.Lease;

/** One attempt to close a period in this process: its lease, and the step that it is at. */
final class Attempt {
  private final Lease lease;
  private final Consumer<String> watcher;
  private volatile @Nullable String step;

  Attempt(Lease lease, Consumer<String> watcher) {
    this.lease = lease;
    this.watcher = watcher;
  }

  Lease lease() {
    return lease;
  }

  void enter(String name) {
    step = name;
    watcher.accept(name);
  }

  @Nullable String step() {
    return step;
  }
}
