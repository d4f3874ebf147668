package palmares.platform.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.stereotype.Component;

/**
 * Checks the nodes by which a cluster is configured. The client would use the cluster of most of
 * them, and that of another one when it is the only one that answers.
 */
@Component
public record ConfiguredNodes(RedisConnectionFactory connections) {
  /**
   * Returns the address of a configured node that belongs to another cluster than the one that the
   * client uses; empty if there is none. Nodes that do not answer are left out.
   */
  public Optional<String> ofOtherCluster() {
    if (!(connections instanceof LettuceConnectionFactory lettuce)
        || !(lettuce.getRequiredNativeClient() instanceof RedisClusterClient client)) {
      return Optional.empty();
    }
    RedisClusterConfiguration cluster = lettuce.getClusterConfiguration();
    if (cluster == null) {
      return Optional.empty();
    }
    Set<String> ids =
        client.getPartitions().stream()
            .map(RedisClusterNode::getNodeId)
            .collect(Collectors.toSet());
    // All at once, since one whose machine is gone takes as long as a timeout.
    List<CompletableFuture<Optional<String>>> asked =
        cluster.getClusterNodes().stream()
            .map(
                node ->
                    CompletableFuture.supplyAsync(
                        () -> ofOtherCluster(lettuce, cluster, node, ids)))
            .toList();
    return asked.stream().flatMap(answer -> answer.join().stream()).findFirst();
  }

  private static Optional<String> ofOtherCluster(
      LettuceConnectionFactory lettuce,
      RedisClusterConfiguration cluster,
      RedisNode node,
      Set<String> ids) {
    var alone = new RedisStandaloneConfiguration(node.getRequiredHost(), node.getRequiredPort());
    alone.setUsername(cluster.getUsername());
    alone.setPassword(cluster.getPassword());
    var factory = new LettuceConnectionFactory(alone, lettuce.getClientConfiguration());
    factory.afterPropertiesSet();
    factory.start();
    try (RedisConnection connection = factory.getConnection()) {
      return connection.execute("CLUSTER", "NODES".getBytes(UTF_8)) instanceof byte[] nodes
              && new String(nodes, UTF_8)
                  .lines()
                  .noneMatch(line -> ids.contains(line.split(" ", 2)[0]))
          ? Optional.of(node.asString())
          : Optional.empty();
    } catch (RedisException | DataAccessException unreachable) {
      return Optional.empty();
    } finally {
      factory.destroy();
    }
  }
}
