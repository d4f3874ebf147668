package palmares.api.reader.stream;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How boards are watched.
 *
 * @param watchers how many may watch at a time, on all boards together; at least 1
 * @param pause how long after a look at a board the next one is; at least 50 ms
 * @param heartbeat how often those are told something who have heard nothing; at least 1 s
 */
@ConfigurationProperties("palmares.stream")
record StreamSettings(
    @DefaultValue("1000") int watchers,
    @DefaultValue("300ms") Duration pause,
    @DefaultValue("15s") Duration heartbeat) {

  StreamSettings {
    if (watchers < 1 || pause.toMillis() < 50 || heartbeat.toSeconds() < 1) {
      throw new IllegalArgumentException(
          "palmares.stream: watchers is at least 1, pause 50ms, heartbeat 1s; not %d, %s, %s"
              .formatted(watchers, pause, heartbeat));
    }
  }

  /** The longest pause after looks that failed: short enough that heartbeats are not late. */
  Duration longestPause() {
    return heartbeat.dividedBy(3);
  }
}
