package palmares.live.relay;

import palmares.platform.text.Sentence;

/** Why events cannot be committed. */
interface RelaySentences {
  record Queued(long events) implements Sentence {}

  record WentBack(String event) implements Sentence {}
}
