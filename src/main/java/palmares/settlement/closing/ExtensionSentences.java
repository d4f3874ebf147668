package palmares.settlement.closing;

import java.time.ZonedDateTime;
import palmares.period.PeriodState;
import palmares.platform.text.Sentence;

/** What becomes of extensions of running periods. */
public interface ExtensionSentences {
  record Extended(String period, ZonedDateTime ends) implements Sentence {}

  record NotOpen(String period, PeriodState state) implements Sentence {}

  record NotBegun(String period) implements Sentence {}

  record NotLater(String period, ZonedDateTime until, ZonedDateTime ends) implements Sentence {}

  record BeyondScores(String period, ZonedDateTime until, ZonedDateTime latest)
      implements Sentence {}

  record CountsDown(String period) implements Sentence {}

  record KeysSealed(String period) implements Sentence {}
}
