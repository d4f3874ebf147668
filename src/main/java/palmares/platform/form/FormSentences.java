package palmares.platform.form;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;

/** What is wrong with a value in a file, as a predicate of its field; and what values there are. */
public interface FormSentences {
  /** The known word that an unknown one most resembles. */
  record DidYouMean(String word) implements Sentence {
    /** Null if none is similar. */
    public static @Nullable DidYouMean of(String word, Collection<String> words) {
      return Suggestion.find(word, words).map(DidYouMean::new).orElse(null);
    }
  }

  /** A fault of a value. */
  record Of(String place, String field, Sentence fault) implements Sentence {}

  /** A fault of a whole file. */
  record OfFile(String place, Sentence fault) implements Sentence {}

  record Whole(long min, long max) implements Sentence {}

  record Flag() implements Sentence {}

  record Date() implements Sentence {}

  record Name(Sentence what) implements Sentence {}

  record OneOf(List<String> words) implements Sentence {}

  record Quoted(String text) implements Sentence {}

  record AList() implements Sentence {}

  record AGroup() implements Sentence {}

  record MustBe(Sentence what, Sentence value, @Nullable DidYouMean hint) implements Sentence {}

  record MustBeForm(Sentence what, List<String> fields, Sentence value) implements Sentence {}

  record MustBeWithQuotes(Sentence what, Sentence value) implements Sentence {}

  record MustBeWithoutQuotes(Sentence what) implements Sentence {}

  record HasNoValue(Sentence what) implements Sentence {}

  record IsEmpty(Sentence what) implements Sentence {}

  record IsNoName() implements Sentence {}

  record IsDuplicate(int line) implements Sentence {}

  record IsNoField(Sentence form, Sentence hint) implements Sentence {}

  record FieldsAre(List<String> fields) implements Sentence {}

  record IsMissing(Sentence description) implements Sentence {}

  record OnlyWith(String other, List<String> words, String word) implements Sentence {}

  record NotWith(String other) implements Sentence {}

  record IsTooLong(long most) implements Sentence {}

  record HasNothing() implements Sentence {}

  record IsNoYaml(String problem) implements Sentence {}

  record HasReference() implements Sentence {}

  record HasCharacter(String character) implements Sentence {}
}
