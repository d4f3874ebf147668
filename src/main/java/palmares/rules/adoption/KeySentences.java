package palmares.rules.adoption;

import palmares.platform.text.Sentence;

/** What is wrong with the pattern of a key. */
interface KeySentences {
  record WrongLength(long most) implements Sentence {}

  record NoPlaceholder() implements Sentence {}

  record Own(String prefix) implements Sentence {}

  record NoTag() implements Sentence {}

  record WrongFormat(String why) implements Sentence {}

  record OtherTemplate(String found) implements Sentence {}

  record Mistaken(String found, String meant) implements Sentence {}

  record OtherLetters(String found, String meant) implements Sentence {}
}
