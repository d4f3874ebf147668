package palmares.bench.nodes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** A replica of a Redis that others have started. */
final class RedisReplica extends RedisNodes {
  private RedisReplica(Path parent) throws IOException {
    super(parent, "replica-");
  }

  /**
   * Starts one, and waits until it follows its master.
   *
   * @param master the properties of Spring that name it
   */
  static RedisReplica of(Path parent, Map<String, String> master) throws IOException {
    UnaryOperator<String> of =
        name -> Objects.requireNonNull(master.get("spring.data.redis." + name), name);
    var replica = new RedisReplica(parent);
    try {
      replica.add("--appendonly", "yes", "--save", "");
      waitUntil(() -> replica.command(0, commands -> commands.ping()).equals("PONG"));
      // Not in its command line, which is visible to other users.
      replica.command(0, commands -> commands.configSet("masteruser", of.apply("username")));
      replica.command(0, commands -> commands.configSet("masterauth", of.apply("password")));
      int port = Integer.parseInt(of.apply("port"));
      replica.command(0, commands -> commands.replicaof(of.apply("host"), port));
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
