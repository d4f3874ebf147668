package palmares.relay;

import org.springframework.stereotype.Component;
import palmares.background.Background;
import palmares.background.Loops;

/** Relays for as long as a server runs: what a caller could not, or died before it could. */
@Component
class Relayer extends Background {
  Relayer(Loops loops, RelayAttempts attempts, RelaySettings settings) {
    super(loops, "relayer", settings.background(), goesOn -> attempts.all());
  }
}
