package palmares.rules.adoption;

import java.time.ZonedDateTime;
import palmares.platform.text.Sentence;

/** Why a score of another program cannot be decoded; each follows the score. */
interface ScoreSentences {
  record Negative() implements Sentence {}

  record Infinite() implements Sentence {}

  record Fraction() implements Sentence {}

  record FractionWithoutDecimals() implements Sentence {}

  record TooManyDecimals(int most) implements Sentence {}

  record TooLarge(int decimals) implements Sentence {}

  record TooManyPoints() implements Sentence {}

  record PastExact() implements Sentence {}

  record OutsidePeriod(ZonedDateTime time, ZonedDateTime from, ZonedDateTime to)
      implements Sentence {}
}
