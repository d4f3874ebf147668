package palmares.settlement.outbox;

import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;

/** What is said of deliveries to a target. */
interface DeliverySentences {
  record Retried(long facts, @Nullable Sentence error) implements Sentence {}

  record Parked(long facts, @Nullable Sentence error) implements Sentence {}

  record Gone(long answer) implements Sentence {}

  record Redirected(long answer) implements Sentence {}

  record Answered(long answer) implements Sentence {}

  record NoAnswer(long millis) implements Sentence {}

  record Stopped() implements Sentence {}

  record NoAddress() implements Sentence {}

  record ConnectTimeout() implements Sentence {}

  record ConnectRefused() implements Sentence {}

  record Closed() implements Sentence {}

  record NoConnection(String error) implements Sentence {}

  record NotSent(String error) implements Sentence {}

  record PrivateAddress(String host, String address) implements Sentence {}

  record UnknownHost(String host) implements Sentence {}

  record Configured(String target, ZonedDateTime at, long minutes) implements Sentence {}
}
