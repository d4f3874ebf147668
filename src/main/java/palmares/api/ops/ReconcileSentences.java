package palmares.api.ops;

import palmares.platform.text.Sentence;

/** What is said of comparisons with a wallet's list, and of the differences. */
interface ReconcileSentences {
  record Compared(long lines, long awards, long confirmed) implements Sentence {}

  record Returning(long members) implements Sentence {}

  record NothingRefused() implements Sentence {}

  record ListOrFetch() implements Sentence {}

  record NoDifference() implements Sentence {}

  record Found(String kind, long findings) implements Sentence {}

  record Resent(long awards) implements Sentence {}

  record NothingToResend() implements Sentence {}

  record Accepted(long findings) implements Sentence {}

  record NothingOpen() implements Sentence {}
}
