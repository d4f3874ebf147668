package palmares.settlement.manifest;

import palmares.platform.text.Sentence;

/** Why a revision cannot be posted. */
interface ManifestSentences {
  record Forgotten(String period, int revision, String file) implements Sentence {}

  record Unreadable(String period, String file) implements Sentence {}
}
