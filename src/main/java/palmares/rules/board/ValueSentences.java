package palmares.rules.board;

import palmares.platform.text.Sentence;

/** What is wrong with a text from outside; {@code what} names the text. */
interface ValueSentences {
  record Empty(String what) implements Sentence {}

  record NotABoard(String text) implements Sentence {}

  record Control(String what) implements Sentence {}

  record TooLong(String what, long most, long bytes) implements Sentence {}

  record HalfPair(String what) implements Sentence {}
}
