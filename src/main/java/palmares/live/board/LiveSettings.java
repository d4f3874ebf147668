package palmares.live.board;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limits of live boards.
 *
 * @param maxBacklog how many events of a board's period may wait for PostgreSQL in Redis; at least
 *     1. Each takes 110 to 470 bytes there, by the length of its texts
 * @param answerTimeout how long an answer of Redis is waited for; then the outcome is unknown
 */
@ConfigurationProperties("palmares.live")
record LiveSettings(
    @DefaultValue("1000000") long maxBacklog, @DefaultValue("10s") Duration answerTimeout) {
  LiveSettings {
    if (maxBacklog < 1) {
      throw new IllegalArgumentException(
          "palmares.live.max-backlog is %d, and must be 1 or more".formatted(maxBacklog));
    }
    if (answerTimeout.compareTo(Duration.ZERO) <= 0) {
      throw new IllegalArgumentException(
          "palmares.live.answer-timeout is %s, and must be more than 0".formatted(answerTimeout));
    }
  }
}
