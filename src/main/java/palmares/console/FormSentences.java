package palmares.console;

import palmares.platform.text.Sentence;

/** What is wrong with a form. */
interface FormSentences {
  record NoForm(String verb) implements Sentence {}

  record NoDays(String text) implements Sentence {}
}
