package palmares.settlement.dailydigest;

import java.math.BigDecimal;
import java.time.Duration;
import palmares.platform.text.Sentence;

/** What is unusual about a settled period. */
interface DigestSentences {
  record NearBudget(BigDecimal amount, String currency, BigDecimal percent, BigDecimal budget)
      implements Sentence {}

  record UnusualMembers(long members, long usual) implements Sentence {}

  record UnusualDuration(Duration took, Duration usual) implements Sentence {}
}
