package palmares.relay;

import org.springframework.stereotype.Component;
import palmares.background.Background;

/** Relays for as long as a server runs: what a caller could not, or died before it could. */
@Component
class Relayer extends Background {
  Relayer(RelayAttempts attempts, RelaySettings settings) {
    super("relayer", settings.background(), goesOn -> attempts.all());
  }
}
