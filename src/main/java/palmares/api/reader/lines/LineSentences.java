package palmares.api.reader.lines;

import palmares.platform.text.Sentence;

/** Why lines cannot be read. */
interface LineSentences {
  record Adopted(String board, String period) implements Sentence {}

  record NotInRedis(String period) implements Sentence {}

  record LineMoved(String period) implements Sentence {}

  record CursorOfOtherPeriod(String period) implements Sentence {}

  record NoCursor() implements Sentence {}
}
