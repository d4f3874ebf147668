package palmares.api.ops;

import palmares.platform.text.Sentence;

/** What is said of boards whose closings are paused. */
interface PauseSentences {
  record Paused(String board) implements Sentence {}

  record Resumed(String board) implements Sentence {}
}
