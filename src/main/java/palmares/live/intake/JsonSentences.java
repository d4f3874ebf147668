package palmares.live.intake;

import palmares.platform.text.Sentence;

/** Why a text is no JSON. */
interface JsonSentences {
  record Invalid(Sentence what) implements Sentence {}

  record InvalidAt(long line, long column, Sentence what) implements Sentence {}

  record Expected(JsonFault fault) implements Sentence {}

  record Unexpected(String character, JsonFault fault) implements Sentence {}

  record More() implements Sentence {}

  record TooManyParts(long most) implements Sentence {}
}
