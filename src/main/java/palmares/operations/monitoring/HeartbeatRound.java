package palmares.operations.monitoring;

import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import palmares.platform.infra.WorkPermit;
import palmares.platform.infra.WorkPermit.WorkSuspended;
import palmares.platform.nodes.HungSessions;
import palmares.platform.nodes.Nodes;
import palmares.platform.nodes.StoreProbe;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;

/** Sends a heartbeat, and checks PostgreSQL and Redis, every ten seconds. */
@Component
class HeartbeatRound {
  private final StoreProbe stores;
  private final InstallationMetrics metrics;
  private final HungSessions hungSessions;

  HeartbeatRound(StoreProbe stores, InstallationMetrics metrics, HungSessions hungSessions) {
    this.stores = stores;
    this.metrics = metrics;
    this.hungSessions = hungSessions;
  }

  /**
   * Sends the heartbeats of a server for as long as it runs. They have their own loop, so that a
   * server whose metrics are slow does not count as dead.
   */
  @Component
  static class HeartbeatLoop extends BackgroundLoop {
    private final Nodes nodes;

    HeartbeatLoop(Loops loops, SignalSettings settings, HeartbeatRound round, Nodes nodes) {
      super(loops, "heartbeat", settings.background(), SignalRound.INTERVAL, goesOn -> round.run());
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

  /**
   * Renews the permit of a server for as long as it runs, apart from its heartbeats, because a
   * Redis that does not answer must not delay these.
   */
  @Component
  static class PermitLoop extends BackgroundLoop {
    PermitLoop(Loops loops, SignalSettings settings, WorkPermit permit) {
      super(
          loops,
          "work permit",
          settings.background(),
          SignalRound.INTERVAL,
          goesOn -> renew(permit));
    }

    static void renew(WorkPermit permit) {
      try {
        permit.renew();
      } catch (WorkSuspended | RedisUnavailable e) {
        // The loops that must not work, and the check of Redis, report it.
      }
    }
  }

  /**
   * Runs a round.
   *
   * @throws RuntimeException if PostgreSQL does not answer, or refuses the heartbeat
   */
  synchronized void run() {
    stores.checkRedis();
    stores.beat();
    hungSessions.end();
    metrics.refreshNodes();
  }
}
