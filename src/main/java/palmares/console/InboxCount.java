package palmares.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.stereotype.Component;

/**
 * Keeps how many things need a person, for the menu of each page. The inbox keeps it in step. A
 * page shows the number that is known; if that is old, the page asks for a new one once it is
 * shown, so that no page is slower for it.
 */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class InboxCount {
  private static final Duration MAX_AGE = Duration.ofMinutes(1);

  private final Clock clock;
  private final AtomicReference<@Nullable Counted> last = new AtomicReference<>();

  InboxCount(Clock clock) {
    this.clock = clock;
  }

  /**
   * A number of items.
   *
   * @param at when they were counted; null if something was done since
   */
  private record Counted(int items, @Nullable Instant at) {}

  void set(int items) {
    last.set(new Counted(items, clock.instant()));
  }

  /** Makes the number count as old, because somebody has called a verb. */
  void expire() {
    last.getAndUpdate(known -> known == null ? null : new Counted(known.items(), null));
  }

  /** The number that is known; null before the first one. */
  @Nullable Integer known() {
    Counted counted = last.get();
    return counted == null ? null : counted.items();
  }

  /** Whether the number should be counted again. */
  boolean isOld() {
    Counted counted = last.get();
    return counted == null
        || counted.at() == null
        || Duration.between(counted.at(), clock.instant()).abs().compareTo(MAX_AGE) > 0;
  }
}
