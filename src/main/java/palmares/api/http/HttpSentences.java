package palmares.api.http;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.text.Sentence;

/** What is said of any request. */
interface HttpSentences {
  record SendAgain(Sentence said) implements Sentence {}

  record DatabaseUnavailable() implements Sentence {}

  record Failed() implements Sentence {}

  record UnparsableQuery(long most) implements Sentence {}

  record HasNul() implements Sentence {}

  record NoField(String field, @Nullable DidYouMean hint, List<String> fields) implements Sentence {
    static NoField of(String field, List<String> fields) {
      return new NoField(field, DidYouMean.of(field, fields), fields);
    }
  }

  record FieldHasNull(String field) implements Sentence {}

  record FieldHasNul(String field) implements Sentence {}

  /**
   * A value that the type of its field does not take.
   *
   * @param value the beginning of its JSON
   */
  record FieldOfOtherType(String field, String type, String value) implements Sentence {}

  record NotJson(Sentence fault) implements Sentence {}

  record NoObject() implements Sentence {}

  record NoFlag(String field, String value) implements Sentence {}

  record NoNumberUpTo(String field, long most, String value) implements Sentence {}

  record NoParameter(String name) implements Sentence {}

  record FormTooLarge() implements Sentence {}

  record FormTooSlow() implements Sentence {}

  record FormTooLong(long fields) implements Sentence {}

  record FormUnparsable() implements Sentence {}

  record KeyRepeated(long times) implements Sentence {}

  record KeyReused() implements Sentence {}

  record KeyInUse() implements Sentence {}

  record NoFile(String path) implements Sentence {}

  record BodyTooLarge(long bytes) implements Sentence {}

  record BodyIncomplete() implements Sentence {}

  record BodyLate(long seconds) implements Sentence {}

  record TooManyBodies() implements Sentence {}

  record TooManyTransfers(long most) implements Sentence {}

  record TooManyTransfersUnknown(long most) implements Sentence {}

  record OutOfMemory() implements Sentence {}

  // What Spring refuses.

  record OtherMethod(String method, List<String> methods) implements Sentence {}

  record NoContentType(List<String> types) implements Sentence {}

  record OtherContentType(String type, List<String> types) implements Sentence {}

  record NoAcceptedType(List<String> types) implements Sentence {}

  record UnreadableAccept() implements Sentence {}

  record NoPath(String path) implements Sentence {}

  // What Tomcat refuses.

  record Unparsable() implements Sentence {}

  record NoMethod() implements Sentence {}

  record Paused() implements Sentence {}

  record OtherVersion() implements Sentence {}

  record NoProxy() implements Sentence {}

  record TooLong() implements Sentence {}

  record Refused() implements Sentence {}
}
