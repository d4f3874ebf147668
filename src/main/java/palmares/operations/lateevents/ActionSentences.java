package palmares.operations.lateevents;

import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;

/** What a member did. */
public interface ActionSentences {
  record Done(String action, @Nullable Times times, @Nullable On subject) implements Sentence {}

  record Undone(String action, @Nullable Times times, @Nullable On subject) implements Sentence {}

  record Times(long quantity) implements Sentence {}

  record On(String subject) implements Sentence {}

  static Sentence of(boolean undo, String action, long quantity, @Nullable String subject) {
    Times times = quantity == 1 ? null : new Times(quantity);
    On on = subject == null ? null : new On(subject);
    return undo ? new Undone(action, times, on) : new Done(action, times, on);
  }
}
