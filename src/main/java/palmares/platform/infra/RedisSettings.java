package palmares.platform.infra;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;

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
  List<String> risks() {
    var risks = new ArrayList<String>();
    switch (appendOnly) {
      case "1" -> risks.addAll(appendOnlyFileRisks());
      case "0" ->
          risks.add(
              "has no append-only file, so a crash loses all events since %s: set"
                      .formatted(snapshots.isEmpty() ? "its start" : "its last snapshot")
                  + " 'appendonly yes'");
      default ->
          risks.add(
              "does not report whether it has an append-only file: make sure that it has one");
    }
    if (evictionPolicy.isEmpty()) {
      risks.add("does not report its maxmemory-policy: make sure that it is 'noeviction'");
    } else if (!evictionPolicy.equals("noeviction")) {
      risks.add(
          "may delete whole boards when its memory is full (maxmemory-policy %s): set"
                  .formatted(evictionPolicy)
              + " 'maxmemory-policy noeviction'");
    }
    return risks.stream().map(risk -> (node.isEmpty() ? "" : node + " ") + risk).toList();
  }

  private List<String> appendOnlyFileRisks() {
    var risks = new ArrayList<String>();
    if (lastAppend.equals("err")) {
      risks.add("could not write to its append-only file: check its log, and free disk space");
    }
    if (appendSync.isEmpty()) {
      risks.add("does not report its appendfsync: make sure that it is 'everysec' or 'always'");
    } else if (appendSync.equals("no")) {
      risks.add(
          "does not sync its append-only file, so a crash of the machine loses the events of about"
              + " 30 seconds: set 'appendfsync everysec' or 'always'");
    }
    return risks;
  }
}
