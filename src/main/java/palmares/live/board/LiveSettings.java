package palmares.live.board;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limits of live boards.
 *
 * @param maxBacklog how many events of a board's period may wait for PostgreSQL in Redis; at least
 *     1. Each takes 110 to 470 bytes there, by the length of its texts
 */
@ConfigurationProperties("palmares.live")
record LiveSettings(@DefaultValue("1000000") long maxBacklog) {
  LiveSettings {
    if (maxBacklog < 1) {
      throw new IllegalArgumentException(
          "palmares.live.max-backlog is %d, and must be 1 or more".formatted(maxBacklog));
    }
  }
}
