package palmares.operations.tasks;

import palmares.platform.text.Sentence;

/** What is said of a task as such. */
public interface TaskSentences {
  record Unknown(long task) implements Sentence {}

  record Queued(long ahead) implements Sentence {}

  record QueueFull(long most) implements Sentence {}

  record TooManyQueued(long most) implements Sentence {}

  record TooManyWaits(long most, long task) implements Sentence {}

  record NotOwn(String caller) implements Sentence {}

  record NotAllowedAnyMore(String caller) implements Sentence {}

  record StillProcessed() implements Sentence {}

  record SecretShown(long task) implements Sentence {}

  record KeyReused() implements Sentence {}

  record TakenOver(long task) implements Sentence {}
}
