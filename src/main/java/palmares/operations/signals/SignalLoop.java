package palmares.operations.signals;

import org.springframework.stereotype.Component;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;

/** Refreshes the metrics of a server for as long as it runs. */
@Component
class SignalLoop extends BackgroundLoop {
  SignalLoop(Loops loops, SignalSettings settings, SignalRound round) {
    super(loops, "signals", settings.background(), goesOn -> round.runIfDue());
  }
}
