package palmares.live.relay;

import org.springframework.stereotype.Component;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;

/** Relays for as long as a server runs: what a caller could not, or died before it could. */
@Component
class Relayer extends BackgroundLoop {
  Relayer(Loops loops, RelayAttempts attempts, RelaySettings settings) {
    super(loops, "relayer", settings.background(), goesOn -> attempts.all());
  }
}
