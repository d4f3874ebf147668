package palmares.operations.signals;

import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import palmares.platform.nodes.Nodes;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;

/** Sends the heartbeats of a server and refreshes its metrics for as long as it runs. */
@Component
class SignalLoop extends BackgroundLoop {
  private final Nodes nodes;

  SignalLoop(Loops loops, SignalSettings settings, SignalRound round, Nodes nodes) {
    super(loops, "signals", settings.background(), goesOn -> round.runIfDue());
    this.nodes = nodes;
  }

  @Override
  public synchronized void stop() {
    super.stop();
    try {
      nodes.stop();
    } catch (DataAccessException e) {
      // The others see that the heartbeats have ended.
    }
  }
}
