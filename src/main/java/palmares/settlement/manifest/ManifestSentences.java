package palmares.settlement.manifest;

import palmares.platform.text.Sentence;

/** Why a revision cannot be posted, or a link anchored. */
interface ManifestSentences {
  record Forgotten(String period, int revision, String file) implements Sentence {}

  record Unreadable(String period, String file) implements Sentence {}

  record FileMissing(String file) implements Sentence {}

  record LinkForgotten(long link, String chain, String what, String file) implements Sentence {}
}
