package palmares.live.history;

import palmares.platform.text.Sentence;

/** Why a history cannot be read. */
interface HistorySentences {
  record NoFile(String file) implements Sentence {}

  record IsFolder(String file) implements Sentence {}

  record NoPermission(String file, String user) implements Sentence {}

  /** The rest of a file that was read up to a line. */
  record Unreadable(String file, long line, String why) implements Sentence {}
}
