package palmares.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.stereotype.Component;
import palmares.operations.inbox.Inbox;
import palmares.operations.inbox.InboxItem;

/**
 * Keeps how many things need a person, for the menu of each page. The inbox keeps it in step. A
 * page shows the number that is known; if that is old, the page asks for a new one once it is
 * shown, so that no page is slower for it.
 */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class InboxCount {
  private static final Duration MAX_AGE = Duration.ofMinutes(1);

  private final Inbox inbox;
  private final Clock clock;

  /** Held while the menu's number is counted, by one thread at a time. */
  private final ReentrantLock counting = new ReentrantLock();

  private final AtomicLong changes = new AtomicLong();
  private final AtomicLong readings = new AtomicLong();
  private final AtomicReference<@Nullable Counted> last = new AtomicReference<>();

  InboxCount(Inbox inbox, Clock clock) {
    this.inbox = inbox;
    this.clock = clock;
  }

  /**
   * A number of items.
   *
   * @param reading counts the readings in the order in which they began
   * @param changes how many verbs had been called when the reading began
   * @param at when it began
   */
  private record Counted(int items, long reading, long changes, Instant at) {}

  /** Reads the inbox, and keeps the number of its items unless that of a later reading is kept. */
  List<InboxItem> read() {
    long reading = readings.incrementAndGet();
    long before = changes.get();
    Instant at = clock.instant();
    List<InboxItem> items = inbox.items(null);
    var counted = new Counted(items.size(), reading, before, at);
    last.updateAndGet(known -> known != null && known.reading() > reading ? known : counted);
    return items;
  }

  /** How often the inbox was read. */
  long readings() {
    return readings.get();
  }

  /**
   * Counts again if the number is old. If several callers want that at once, one counts, and the
   * others go on with the number that is known: while PostgreSQL is slow, none of them waits.
   */
  void refresh() {
    if (!counting.tryLock()) {
      return;
    }
    try {
      if (isOld()) {
        read();
      }
    } finally {
      counting.unlock();
    }
  }

  /** Makes the number count as old, because somebody has called a verb. */
  void expire() {
    changes.incrementAndGet();
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
        || counted.changes() != changes.get()
        || Duration.between(counted.at(), clock.instant()).abs().compareTo(MAX_AGE) > 0;
  }
}
