package palmares.live.history;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palmares.period.ImportRuns;
import palmares.period.ImportRuns.ImportRun;

/** Shows others that an import is alive, also while a batch takes long. */
final class Heartbeat implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);
  private static final int EVERY_SECONDS = 3;

  private final ScheduledExecutorService pulse =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            var thread = new Thread(work, "import-heartbeat");
            thread.setDaemon(true);
            return thread;
          });

  private final ImportRun run;
  private boolean failing;

  Heartbeat(ImportRuns runs, ImportRun run) {
    this.run = run;
    pulse.scheduleWithFixedDelay(() -> beat(runs), EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
  }

  ImportRun run() {
    return run;
  }

  /** One that fails does not end the others: the import itself fails if the database is gone. */
  private void beat(ImportRuns runs) {
    try {
      runs.beat(run);
      failing = false;
    } catch (Throwable e) {
      if (!failing) {
        LOG.warn("import {} cannot show that it is alive: {}", run.id(), e.toString());
      }
      failing = true;
    }
  }

  @Override
  public void close() {
    pulse.shutdownNow();
  }
}
