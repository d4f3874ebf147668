package palmares.api.ops;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.text.Sentence;

/** What is said of lists. */
interface ListingSentences {
  record Empty(String rows) implements Sentence {}

  record NoCursor() implements Sentence {}

  record TooManyReads() implements Sentence {}

  record MoreNotes(long notes) implements Sentence {}

  /** The rest of a period of the calendar, which has a name that no file has. */
  record RestOfPeriod(String board, String whole, Instant from, Instant to, String period)
      implements Sentence {}

  record UsualTime(String board, @Nullable Duration took, @Nullable Duration late)
      implements Sentence {}

  record OtherKeys(String name, long keys, long bytes) implements Sentence {}

  record OfRedis(long bytes, long used) implements Sentence {}

  record NoFamily(String family, @Nullable DidYouMean hint, List<String> families)
      implements Sentence {}

  record NoFamilies(String family) implements Sentence {}

  record NothingSettled(String family) implements Sentence {}

  record NotSettled(String family, String period) implements Sentence {}

  record NoneSettled(String family, String period) implements Sentence {}
}
