package palmares.platform.infra;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * What a Redis server says of itself that decides whether boards outlive its death. Empty texts
 * stand for what it does not say: managed servers often forbid CONFIG.
 *
 * @param node which server of a cluster; empty where there is but one
 * @param appends whether it keeps an append-only file: {@code 1} or {@code 0}
 * @param appended how its last write to that file went: {@code ok} or {@code err}
 * @param eviction its {@code maxmemory-policy}
 * @param sync its {@code appendfsync}
 * @param snapshots its {@code save}; empty also for none
 */
record RedisSettings(
    String node, String appends, String appended, String eviction, String sync, String snapshots) {

  /** Of the server, or of every server of the cluster. */
  static List<RedisSettings> read(RedisConnection connection) {
    var nodes = new TreeMap<String, Properties>();
    sort(connection.serverCommands().info("persistence"), nodes);
    sort(connection.serverCommands().info("memory"), nodes);
    sort(configuration(connection, "appendfsync"), nodes);
    sort(configuration(connection, "save"), nodes);
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

  /** A cluster's answers come in one, with the node before each name and a dot between them. */
  private static void sort(Properties answer, Map<String, Properties> nodes) {
    for (String name : answer.stringPropertyNames()) {
      int dot = name.lastIndexOf('.');
      nodes
          .computeIfAbsent(dot < 0 ? "" : name.substring(0, dot), node -> new Properties())
          .setProperty(name.substring(dot + 1), answer.getProperty(name));
    }
  }

  private static RedisSettings of(Map.Entry<String, Properties> node) {
    Properties says = node.getValue();
    return new RedisSettings(
        node.getKey(),
        says.getProperty("aof_enabled", ""),
        says.getProperty("aof_last_write_status", ""),
        says.getProperty("maxmemory_policy", ""),
        says.getProperty("appendfsync", ""),
        says.getProperty("save", ""));
  }

  /** What may take acknowledged events away, each with what to do; empty if nothing does. */
  List<String> risks() {
    var risks = new ArrayList<String>();
    switch (appends) {
      case "1" -> risks.addAll(risksOfTheFile());
      case "0" ->
          risks.add(
              "keeps no append-only file, so that its death takes all events since %s: set"
                      .formatted(snapshots.isEmpty() ? "its start" : "its last snapshot")
                  + " 'appendonly yes'");
      default ->
          risks.add("does not say whether it keeps an append-only file: see that it has one");
    }
    if (eviction.isEmpty()) {
      risks.add("does not say its maxmemory-policy: see that it is 'noeviction'");
    } else if (!eviction.equals("noeviction")) {
      risks.add(
          "may drop whole boards when its memory is full (maxmemory-policy %s): set"
                  .formatted(eviction)
              + " 'maxmemory-policy noeviction'");
    }
    return risks.stream().map(risk -> (node.isEmpty() ? "" : node + " ") + risk).toList();
  }

  private List<String> risksOfTheFile() {
    var risks = new ArrayList<String>();
    if (appended.equals("err")) {
      risks.add("could not write to its append-only file: look at its log, and free disk space");
    }
    if (sync.isEmpty()) {
      risks.add("does not say its appendfsync: see that it is 'everysec' or 'always'");
    } else if (sync.equals("no")) {
      risks.add(
          "leaves it to the machine when its append-only file reaches the disk, so that the"
              + " machine's death takes the events of half a minute: set 'appendfsync everysec'"
              + " or 'always'");
    }
    return risks;
  }
}
