package palmares.live.board;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of live boards.
 *
 * @param maxBacklog the largest number of events that a live journal may hold before it is drained;
 *     at least 1. Each takes 110 to 470 bytes of Redis
 */
@ConfigurationProperties("palmares.live")
record LiveSettings(@DefaultValue("1000000") long maxBacklog) {
  LiveSettings {
    if (maxBacklog < 1) {
      throw new IllegalArgumentException(
          "palmares.live.max-backlog is %d, but must be 1 or more".formatted(maxBacklog));
    }
  }
}
