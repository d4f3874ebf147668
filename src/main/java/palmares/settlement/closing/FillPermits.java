package palmares.settlement.closing;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;
import palmares.period.Heartbeat;
import palmares.platform.text.Setting;

/**
 * Limits how many big outcomes this process fills at the same time. Each filling needs several
 * connections at once, so that too many would wait for connections that others of them hold, until
 * all of them time out.
 */
@Component
@EnableConfigurationProperties(FillPermits.Settings.class)
class FillPermits {
  /** One adds up the journal, and three build indexes or fill a slice and look up its times. */
  static final int CONNECTIONS_PER_FILLING = 4;

  private static final int MAX_DEFAULT_SLICES = 8;

  /** Of one period, so that planning them stays short. */
  private static final int MAX_SLICES = 64;

  /** One listens for changes of API keys all the time, and everything else needs one. */
  static final int MIN_CONNECTIONS = CONNECTIONS_PER_FILLING + 2;

  private static final long HEARTBEAT_INTERVAL_SECONDS = 5;

  private final Semaphore permits;
  private final int fillings;
  private final int slices;
  private final Settings settings;

  /**
   * Settings of big closings.
   *
   * @param slices how many slices of a big period a process fills at the same time, as many as
   *     PostgreSQL has processors for it; by default half as many as this machine has, from 1 to 8.
   *     Each takes two connections, so that fewer are filled if half of them are not enough
   * @param sliceMembers the least number of members that a slice has
   */
  @ConfigurationProperties("palmares.closing")
  record Settings(@Nullable Integer slices, @DefaultValue("250000") long sliceMembers) {
    Settings {
      if (slices != null) {
        new Setting("palmares.closing.slices").requireAtLeast(1, slices);
      }
      new Setting("palmares.closing.slice-members").requireAtLeast(1, sliceMembers);
    }

    private int slicesOr(int processors) {
      return slices != null ? slices : Math.max(1, Math.min(processors / 2, MAX_DEFAULT_SLICES));
    }
  }

  /**
   * Leaves half of the connections to everything else, if that is enough for one filling.
   *
   * @throws palmares.platform.text.WrongSetting if there are too few connections for one filling
   */
  FillPermits(
      @Value("${spring.datasource.hikari.maximum-pool-size}") int connections, Settings settings) {
    this.settings = settings;
    if (connections < MIN_CONNECTIONS) {
      throw new Setting("spring.datasource.hikari.maximum-pool-size")
          .wrong(
              connections,
              new ClosingSentences.TooFewConnections(MIN_CONNECTIONS, CONNECTIONS_PER_FILLING));
    }
    int wanted = settings.slicesOr(Runtime.getRuntime().availableProcessors());
    slices = Math.max(1, Math.min(wanted, (connections / 2 - 1) / 2));
    int perFilling = Math.max(CONNECTIONS_PER_FILLING, 2 * slices + 1);
    fillings = Math.max(1, connections / 2 / perFilling);
    permits = new Semaphore(fillings, true);
  }

  /** How many big outcomes are filled at the same time. */
  int fillings() {
    return fillings;
  }

  /** How many slices of a period are filled at the same time. */
  int slices() {
    return slices;
  }

  /** The number of slices of a period with this number of members. */
  int slices(long members) {
    return (int) Math.max(1, Math.min(members / settings.sliceMembers(), MAX_SLICES));
  }

  /**
   * Runs a filling once there is a permit for it. The caller must hold no connection.
   *
   * @param heartbeat renews the lease while it waits
   * @throws palmares.period.StaleLease if another process has taken the period over meanwhile
   */
  void run(Heartbeat heartbeat, Runnable filling) {
    acquire(heartbeat);
    try {
      filling.run();
    } finally {
      permits.release();
    }
  }

  private void acquire(Heartbeat heartbeat) {
    try {
      while (!permits.tryAcquire(HEARTBEAT_INTERVAL_SECONDS, TimeUnit.SECONDS)) {
        heartbeat.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while other big closings are filled", e);
    }
  }
}
