package palmares.live.board;

import palmares.platform.text.Sentence;

/** What is said of the live board of a period. */
public interface LiveSentences {
  record Gone(String period) implements Sentence {}

  record KeysGone(String period) implements Sentence {}

  record Rebuilding(String period) implements Sentence {}

  record Torn(String period) implements Sentence {}

  record WentBack(String period) implements Sentence {}

  record Gap(String period) implements Sentence {}

  /** A gap of which it is known what is missing. */
  record Lacks(String period, Sentence missing) implements Sentence {}

  record Forgotten(String period, String state) implements Sentence {}

  record Backlog(String period, long events) implements Sentence {}

  record Trimmed(String period) implements Sentence {}

  record Undecodable(long entry, String fault) implements Sentence {}
}
