package palmares.testing;

import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;
import palmares.bench.nodes.RedisNodes;

/** A cluster of one node, which has all slots. */
public final class LoneClusterNode extends RedisNodes {
  private LoneClusterNode(Path parent) throws IOException {
    super(parent, "lone-");
  }

  public static LoneClusterNode start(Path parent) throws IOException {
    var lone = new LoneClusterNode(parent);
    try {
      lone.add("--cluster-enabled", "yes", "--save", "");
      waitUntil(() -> lone.command(0, RedisCommands::ping).equals("PONG"));
      int[] all = IntStream.range(0, SlotHash.SLOT_COUNT).toArray();
      lone.command(0, node -> node.clusterAddSlots(all));
      waitUntil(() -> lone.command(0, RedisCommands::clusterInfo).contains("cluster_state:ok"));
      return lone;
    } catch (IOException | RuntimeException e) {
      lone.close();
      throw e;
    }
  }
}
