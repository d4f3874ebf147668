package palmares.platform.redis;

import java.util.List;
import java.util.stream.Collectors;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.stereotype.Component;

/** Names the configured nodes of Redis, and whether they are a cluster or sentinels. */
@Component
public record RedisAddress(DataRedisConnectionDetails details) {
  /** Returns a noun phrase, such as {@code Redis at localhost:6379}. */
  @Override
  public String toString() {
    // Spring Boot has an address of a single server in any case.
    var sentinel = details.getSentinel();
    if (sentinel != null) {
      return "the Redis master '%s' of the sentinels at %s"
          .formatted(sentinel.getMaster(), list(sentinel.getNodes()));
    }
    var cluster = details.getCluster();
    if (cluster != null) {
      return "the Redis cluster at " + list(cluster.getNodes());
    }
    var server = details.getStandalone();
    return server == null
        ? "Redis"
        : "Redis at %s:%s".formatted(server.getHost(), server.getPort());
  }

  /** Whether a start depends on one node: of a cluster, or of the sentinels, only one is named. */
  public boolean namesOneNode() {
    var sentinel = details.getSentinel();
    var cluster = details.getCluster();
    List<Node> nodes =
        sentinel != null ? sentinel.getNodes() : cluster != null ? cluster.getNodes() : List.of();
    return nodes.stream().distinct().count() == 1;
  }

  private static String list(List<Node> nodes) {
    return nodes.stream()
        .map(node -> node.host() + ":" + node.port())
        .collect(Collectors.joining(", "));
  }
}
