package palmares.settlement.outbox;

import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;

/** What is said of deliveries to a target. */
interface DeliverySentences {
  record Retried(long facts, @Nullable String error) implements Sentence {}

  record Parked(long facts, @Nullable String error) implements Sentence {}

  record Configured(String target, ZonedDateTime at, long minutes) implements Sentence {}
}
