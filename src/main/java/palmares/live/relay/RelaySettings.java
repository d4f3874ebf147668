package palmares.live.relay;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How this process relays committed events.
 *
 * @param background whether it also relays, all the time, what others could not; a server does
 * @param answerWithin how long a caller that has committed waits for the live board, at most,
 *     before its events are answered as accepted. Null for 300 milliseconds where the background
 *     relays the rest, and for ten seconds where nobody does
 */
@ConfigurationProperties("palmares.relay")
record RelaySettings(@DefaultValue("false") boolean background, @Nullable Duration answerWithin) {
  private static final Duration WITH_BACKGROUND = Duration.ofMillis(300);
  private static final Duration ALONE = Duration.ofSeconds(10);

  RelaySettings {
    if (answerWithin != null && answerWithin.isNegative()) {
      throw new IllegalArgumentException(
          "palmares.relay.answer-within is %s: set 0 or more".formatted(answerWithin));
    }
  }

  Duration longestWait() {
    if (answerWithin != null) {
      return answerWithin;
    }
    return background ? WITH_BACKGROUND : ALONE;
  }
}
