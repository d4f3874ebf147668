package palmares.platform.infra;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import palmares.platform.text.Sentence;

/**
 * The settings of a Redis server that decide whether it keeps its data in a crash. A text is empty
 * if the server does not report the setting: managed servers often forbid CONFIG.
 *
 * @param node the server's name in a cluster; empty for a single server
 * @param appendOnly whether there is an append-only file: {@code 1} or {@code 0}
 * @param lastAppend the status of the last write to that file: {@code ok} or {@code err}
 * @param evictionPolicy its {@code maxmemory-policy}
 * @param appendSync its {@code appendfsync}
 * @param snapshots its {@code save}; also empty if there are no snapshots
 */
record RedisSettings(
    String node,
    String appendOnly,
    String lastAppend,
    String evictionPolicy,
    String appendSync,
    String snapshots) {
  /** Reads the settings of the server, or of every server of the cluster. */
  static List<RedisSettings> read(RedisConnection connection) {
    var nodes = new TreeMap<String, Properties>();
    collect(connection.serverCommands().info("persistence"), nodes);
    collect(connection.serverCommands().info("memory"), nodes);
    collect(configuration(connection, "appendfsync"), nodes);
    collect(configuration(connection, "save"), nodes);
    return nodes.entrySet().stream().map(RedisSettings::of).toList();
  }

  private static Properties configuration(RedisConnection connection, String name) {
    try {
      Properties found = connection.serverCommands().getConfig(name);
      return found == null ? new Properties() : found;
    } catch (DataAccessException forbidden) {
      return new Properties();
    }
  }

  /** A cluster prefixes each name of its answer with the node and a dot. */
  private static void collect(Properties answer, Map<String, Properties> nodes) {
    for (String name : answer.stringPropertyNames()) {
      int dot = name.lastIndexOf('.');
      nodes
          .computeIfAbsent(dot < 0 ? "" : name.substring(0, dot), node -> new Properties())
          .setProperty(name.substring(dot + 1), answer.getProperty(name));
    }
  }

  private static RedisSettings of(Map.Entry<String, Properties> node) {
    Properties values = node.getValue();
    return new RedisSettings(
        node.getKey(),
        values.getProperty("aof_enabled", ""),
        values.getProperty("aof_last_write_status", ""),
        values.getProperty("maxmemory_policy", ""),
        values.getProperty("appendfsync", ""),
        values.getProperty("save", ""));
  }

  /** The ways to lose acknowledged events, each with its remedy. */
  List<Sentence> risks() {
    var risks = new ArrayList<Sentence>();
    switch (appendOnly) {
      case "1" -> risks.addAll(appendOnlyFileRisks());
      case "0" ->
          risks.add(
              snapshots.isEmpty()
                  ? new StoreSentences.KeepsNothing()
                  : new StoreSentences.KeepsSnapshotsOnly());
      default -> risks.add(new StoreSentences.UnknownAppendOnly());
    }
    if (evictionPolicy.isEmpty()) {
      risks.add(new StoreSentences.UnknownPolicy());
    } else if (!evictionPolicy.equals("noeviction")) {
      risks.add(new StoreSentences.Evicts(evictionPolicy));
    }
    return risks.stream()
        .<Sentence>map(
            risk ->
                node.isEmpty()
                    ? new StoreSentences.OfServer(risk)
                    : new StoreSentences.OfNode(node, risk))
        .toList();
  }

  private List<Sentence> appendOnlyFileRisks() {
    var risks = new ArrayList<Sentence>();
    if (lastAppend.equals("err")) {
      risks.add(new StoreSentences.UnwrittenAppendOnly());
    }
    if (appendSync.isEmpty()) {
      risks.add(new StoreSentences.UnknownSync());
    } else if (appendSync.equals("no")) {
      risks.add(new StoreSentences.NoSync());
    }
    return risks;
  }
}
