package palmares.api.http;

import palmares.platform.text.Sentence;

/** What is said of any request. */
interface HttpSentences {
  record SendAgain(Sentence said) implements Sentence {}
}
