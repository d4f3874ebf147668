package palmares.platform.nodes;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of how a server stops.
 *
 * @param drainTime how long a server that is stopped still takes requests, although it reports that
 *     it is not ready, so that load balancers have stopped sending requests before it refuses them
 */
@ConfigurationProperties("palmares.server")
record DrainSettings(@DefaultValue("0s") Duration drainTime) {
  private static final Duration MAX_DRAIN_TIME = Duration.ofMinutes(5);

  DrainSettings {
    if (drainTime.isNegative() || drainTime.compareTo(MAX_DRAIN_TIME) > 0) {
      throw new IllegalArgumentException(
          "palmares.server.drain-time is %s: set 0s to 5m".formatted(drainTime));
    }
  }
}
