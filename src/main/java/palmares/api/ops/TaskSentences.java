package palmares.api.ops;

import palmares.platform.text.Sentence;

/** What is said of a task as such. */
interface TaskSentences {
  record Queued(long ahead) implements Sentence {}
}
