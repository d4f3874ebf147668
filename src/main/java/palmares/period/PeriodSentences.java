package palmares.period;

import java.time.ZonedDateTime;
import palmares.platform.text.Sentence;

/** What a period's state, end or lease does not allow. */
public interface PeriodSentences {
  record NeverSettled(String period) implements Sentence {}

  record NotSettled(String period, String state, ZonedDateTime due) implements Sentence {}
}
