package palmares.settlement.closing;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import palmares.period.Lease;

/** One attempt to close a period in this process: for whom, its lease, the step that it is at. */
final class Attempt {
  private final ClosingCause cause;
  private final Lease lease;
  private final Consumer<String> watcher;
  private volatile @Nullable String step;

  Attempt(ClosingCause cause, Lease lease, Consumer<String> watcher) {
    this.cause = cause;
    this.lease = lease;
    this.watcher = watcher;
  }

  ClosingCause cause() {
    return cause;
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
