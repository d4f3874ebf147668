package palmares.operations.monitoring;

import palmares.platform.text.Sentence;

/** What keeps an installation from closing periods. */
interface InstallationSentences {
  record Redis(Sentence why) implements Sentence {}

  /**
   * @param node the address of a master of a cluster
   * @param boards that it has
   */
  record RedisNode(String node, Sentence why, Sentence boards) implements Sentence {}

  /** As {@link RedisNode}, of a node that has no open board. */
  record RedisNodeWithoutBoards(String node, Sentence why) implements Sentence {}

  record SharedSessions() implements Sentence {}

  record NoSweep() implements Sentence {}

  record Unverified() implements Sentence {}
}
