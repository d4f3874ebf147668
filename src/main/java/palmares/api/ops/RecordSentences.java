package palmares.api.ops;

import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;

/** What a table says of a member's record on a board. */
interface RecordSentences {
  record Played(long played, long periods, long wins, long podiums) implements Sentence {}

  record Best(Sentence rank, Sentence points) implements Sentence {}

  record In(long value, String period) implements Sentence {}

  record Awarded(long credits, @Nullable AndOthers others) implements Sentence {}

  record AndOthers(String others) implements Sentence {}

  record Streak(long now, Sentence longest) implements Sentence {}

  record InTop(int top, long now, Sentence longest) implements Sentence {}

  record FromTo(long periods, String first, String last) implements Sentence {}

  record NoStreak() implements Sentence {}

  record None() implements Sentence {}
}
