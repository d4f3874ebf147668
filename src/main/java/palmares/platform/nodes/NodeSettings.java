package palmares.platform.nodes;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of this process as a server of the installation.
 *
 * @param node its name, which no other server has; by default the host name and process id
 * @param roles what it runs: {@code writer}, {@code scheduler} or both; a server sets it
 */
@ConfigurationProperties("palmares")
record NodeSettings(@Nullable String node, @DefaultValue({}) List<String> roles) {
  /** The roles that a server can have. */
  static final List<String> ROLES = List.of("writer", "scheduler");

  String name() {
    return node == null || node.isBlank() ? ThisProcess.NAME : node;
  }
}
