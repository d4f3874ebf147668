package palmares.settlement.verification;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;

/** What a verification has found. */
interface VerificationSentences {
  record Missing(@Nullable Sentence where, Sentence what, Sentence derived) implements Sentence {}

  record Extra(@Nullable Sentence where, Sentence what, Sentence stored) implements Sentence {}

  record Unequal(@Nullable Sentence where, Sentence what, Sentence derived, Sentence stored)
      implements Sentence {}

  record Where(String period) implements Sentence {}

  record Summary(long periods, long lines, long payments, long missing, long extra, long unequal)
      implements Sentence {}

  record Refused(Sentence summary, Sentence first) implements Sentence {}

  record EmptyTables(List<String> tables) implements Sentence {}

  record TornLines(String file, List<String> lines) implements Sentence {}

  record NoAnchors(String file, long links, String chain) implements Sentence {}

  record LateAnchors(String file, long anchors, String chain) implements Sentence {}
}
