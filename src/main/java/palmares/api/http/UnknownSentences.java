package palmares.api.http;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.text.Sentence;

/** What a request names that does not exist. */
public interface UnknownSentences {
  record Board(String board, @Nullable DidYouMean hint, List<String> boards) implements Sentence {
    public static Board of(String word, Collection<String> boards) {
      return new Board(word, DidYouMean.of(word, boards), List.copyOf(boards));
    }
  }

  /** A period of the calendar that nothing has opened. */
  record UnopenedPeriod(String board, String period) implements Sentence {}

  record Period(String board, String period, @Nullable NamedLike example, @Nullable DidYouMean hint)
      implements Sentence {}

  record NamedLike(String period) implements Sentence {}

  record Member(String member) implements Sentence {}

  record MemberOfBoard(String member, String period, @Nullable DidYouMean hint)
      implements Sentence {}

  record MemberAnywhere(String member, String period, @Nullable DidYouMean hint)
      implements Sentence {}

  record Revision(String period, int revision, List<Integer> known) implements Sentence {}

  record RevisionYet(String period, int revision, String state) implements Sentence {}

  record FrozenRevision(String period, int revision) implements Sentence {}

  record Manifest(String period, int revision) implements Sentence {}

  record Import(long run) implements Sentence {}
}
