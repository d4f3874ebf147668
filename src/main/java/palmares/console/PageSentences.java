package palmares.console;

import palmares.platform.text.Sentence;

/** What is wrong with an address or a form of a page. */
interface PageSentences {
  record NoForm(String word) implements Sentence {}

  record NoPage(String page) implements Sentence {}

  record NoFile(String file) implements Sentence {}

  record OtherVersion(String file) implements Sentence {}

  record Unfilled(String field) implements Sentence {}

  record NotARank(String text) implements Sentence {}

  record NotNumbers(String field, Sentence why) implements Sentence {}

  record NotPoints(String field, String line) implements Sentence {}

  record Twice(String field, String member) implements Sentence {}

  record NoDays(String text) implements Sentence {}

  record IdsDiffer() implements Sentence {}

  record RunbookNeeds(String word) implements Sentence {}
}
