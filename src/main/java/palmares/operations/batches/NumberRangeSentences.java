package palmares.operations.batches;

import palmares.platform.text.Sentence;

/** What is wrong with numbers and ranges of numbers. */
interface NumberRangeSentences {
  record TooMany(long most) implements Sentence {}

  record NoRange(String text) implements Sentence {}

  record EndsBefore(String text) implements Sentence {}
}
