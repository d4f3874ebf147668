package palmares.api.writer;

import java.util.List;
import palmares.platform.text.Sentence;

/** What is wrong with a registration; no sentence repeats a value, which may be personal. */
interface RegistrationSentences {
  record NoObject() implements Sentence {}

  record UnknownField(List<String> fields) implements Sentence {}

  record MissingField(String field) implements Sentence {}

  record NotText(String field) implements Sentence {}
}
