package palmares.operations.monitoring;

import palmares.platform.text.Sentence;

/** What keeps an installation from closing periods. */
interface InstallationSentences {
  record Redis(Sentence why) implements Sentence {}

  record SharedSessions() implements Sentence {}

  record NoSweep() implements Sentence {}

  record Unverified() implements Sentence {}
}
