package palmares.platform.threads;

import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;

/** Why a process or an installation is not healthy; times are in seconds. */
public interface HealthSentences {
  /** A loop without a success for longer than its limit. */
  record NoRound(long seconds, long limit) implements Sentence {}

  record NoDatabase() implements Sentence {}

  /** The database does not answer, and the rest was read before. */
  record ReadBefore() implements Sentence {}

  record SharedSessions() implements Sentence {}

  record SetSessionPooling() implements Sentence {}

  /** A closing that takes longer than is usual on its board. */
  record Slow(long seconds, long usual) implements Sentence {}

  /** A period that does not settle without help. */
  record Waits(Choice why, long seconds, @Nullable Because reason) implements Sentence {}

  record Because(Sentence reason) implements Sentence {}

  record Paused(String by, String reason, @Nullable FailedLast failed) implements Sentence {}

  record FailedLast(Sentence failure) implements Sentence {}

  record ImportDidNotEnd(String sources) implements Sentence {}
}
