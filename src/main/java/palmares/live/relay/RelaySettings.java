package palmares.live.relay;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the relay.
 *
 * @param background whether this process relays all periods all the time, as a server does
 * @param answerWithin how long a caller that has committed waits for the live board before its
 *     events are answered as accepted. By default 300 milliseconds on a server, and ten seconds in
 *     a command
 */
@ConfigurationProperties("palmares.relay")
record RelaySettings(@DefaultValue("false") boolean background, @Nullable Duration answerWithin) {
  private static final Duration MAX_WAIT_WITH_RELAYER = Duration.ofMillis(300);
  private static final Duration MAX_WAIT_WITHOUT_RELAYER = Duration.ofSeconds(10);

  RelaySettings {
    if (answerWithin != null && answerWithin.isNegative()) {
      throw new IllegalArgumentException(
          "palmares.relay.answer-within is %s: set 0 or more".formatted(answerWithin));
    }
  }

  Duration maxWait() {
    if (answerWithin != null) {
      return answerWithin;
    }
    return background ? MAX_WAIT_WITH_RELAYER : MAX_WAIT_WITHOUT_RELAYER;
  }
}
