package palmares.bench.nodes;

import java.io.IOException;
import java.nio.file.Path;

/** A replica of a Redis that others have started. */
final class RedisReplica extends RedisNodes {
  private RedisReplica(Path parent) throws IOException {
    super(parent, "replica-");
  }

  /** Starts one, and waits until it follows its master. */
  static RedisReplica of(Path parent, String host, int port, String password) throws IOException {
    var replica = new RedisReplica(parent);
    try {
      replica.add("--appendonly", "yes", "--save", "");
      waitUntil(() -> replica.command(0, commands -> commands.ping()).equals("PONG"));
      // Not in its command line, which is visible to other users.
      replica.command(0, commands -> commands.configSet("masterauth", password));
      replica.command(0, commands -> commands.replicaof(host, port));
      waitUntil(replica::follows);
      return replica;
    } catch (IOException | RuntimeException e) {
      replica.close();
      throw e;
    }
  }

  /** Whether it has what its master has. */
  boolean follows() {
    return replication(0).contains("master_link_status:up");
  }
}
