package palmares.api.reader.stream;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the streams.
 *
 * @param watchers the maximum number of open streams, on all boards together; at least 1
 * @param pause time between two reads of a watched board; at least 50 ms
 * @param heartbeat time between two heartbeats to a watcher without messages; at least 1 s
 */
@ConfigurationProperties("palmares.stream")
record StreamSettings(
    @DefaultValue("1000") int watchers,
    @DefaultValue("300ms") Duration pause,
    @DefaultValue("15s") Duration heartbeat) {

  StreamSettings {
    if (watchers < 1 || pause.toMillis() < 50 || heartbeat.toSeconds() < 1) {
      throw new IllegalArgumentException(
          "palmares.stream: watchers must be at least 1, pause 50ms, heartbeat 1s; not %d, %s, %s"
              .formatted(watchers, pause, heartbeat));
    }
  }

  /** Returns the longest pause after failures; short enough for heartbeats in time. */
  Duration maxPause() {
    return heartbeat.dividedBy(3);
  }
}
