package palmares.live.relay;

import org.springframework.stereotype.Component;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;

/** Relays committed events of all periods while a server runs. */
@Component
class Relayer extends BackgroundLoop {
  Relayer(Loops loops, RelayAttempts attempts, RelaySettings settings) {
    super(loops, "relayer", settings.background(), goesOn -> attempts.relayAll());
  }
}
