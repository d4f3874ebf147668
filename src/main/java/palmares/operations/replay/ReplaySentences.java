package palmares.operations.replay;

import java.math.BigDecimal;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board.LineRule;

/** What is said of periods under other rules. */
public interface ReplaySentences {
  record OtherRules(LineRule what) implements Sentence {}

  record Archived(String rule) implements Sentence {}

  record PeriodBudget(BigDecimal budget) implements Sentence {}

  record MonthBudget(BigDecimal budget) implements Sentence {}

  record Compared(long periods, long lines) implements Sentence {}

  record Amended(long periods) implements Sentence {}

  record Adopted(long periods) implements Sentence {}

  record Unsettled(long periods) implements Sentence {}

  record TiesShared(long periods) implements Sentence {}

  record Withheld(long periods) implements Sentence {}

  record NoPeriods() implements Sentence {}

  record TooManyPeriods(long periods, long most) implements Sentence {}
}
