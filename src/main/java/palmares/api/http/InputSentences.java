package palmares.api.http;

import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.text.Sentence;

/** What is wrong with a field or a parameter of a request. */
public interface InputSentences {
  record Missing(String field) implements Sentence {}

  record BoardMissing(String period) implements Sentence {}

  /** A verb whose object is one or, explicitly, all. */
  record NameOrAll(String field) implements Sentence {}

  record NotAReason(int most) implements Sentence {}

  /** A word that is none of those that the field takes. */
  record NotOneOf(String field, List<String> words, String word, @Nullable DidYouMean hint)
      implements Sentence {
    public static NotOneOf of(String field, Collection<String> words, String word) {
      return new NotOneOf(field, List.copyOf(words), word, DidYouMean.of(word, words));
    }
  }

  record UnknownParameter(String name, @Nullable DidYouMean hint, List<String> known)
      implements Sentence {}

  record RepeatedParameter(String name, long times) implements Sentence {}

  record WildcardType(String type) implements Sentence {}

  record NotANumber(String field, String text) implements Sentence {}

  record TooLarge(String field, long number) implements Sentence {}

  record TooSmall(String field, long least, long number) implements Sentence {}

  record OutOfRange(String field, long least, long most, long number) implements Sentence {}

  record NotATime(String field, String text) implements Sentence {}

  record EmptyRange(ZonedDateTime from, ZonedDateTime to) implements Sentence {}

  record NotAMonth(String text) implements Sentence {}

  record NotAZone(String text) implements Sentence {}

  record NoSearch() implements Sentence {}

  record NotABoard(String text, @Nullable DidYouMean hint) implements Sentence {}

  record NotAPeriod(String text) implements Sentence {}
}
