package palmares.history;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palmares.period.ImportRun;
import palmares.period.ImportRuns;

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

  Heartbeat(ImportRuns runs, ImportRun run) {
    this.run = run;
    pulse.scheduleWithFixedDelay(
        () -> beat(runs, run), EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
  }

  ImportRun run() {
    return run;
  }

  /** One that fails does not end the others: the import itself fails if the database is gone. */
  private static void beat(ImportRuns runs, ImportRun run) {
    try {
      runs.beat(run);
    } catch (RuntimeException e) {
      LOG.warn("import {} could not show that it is alive: {}", run.id(), e.getMessage());
    }
  }

  @Override
  public void close() {
    pulse.shutdownNow();
  }
}
