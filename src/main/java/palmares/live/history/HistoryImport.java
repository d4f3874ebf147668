package palmares.live.history;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import palmares.live.history.HistorySource.RawInput;
import palmares.live.history.LineReader.Line;
import palmares.live.intake.EventBatch;
import palmares.live.intake.EventOrigin;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.EventRefusal;
import palmares.live.intake.EventSentences;
import palmares.live.intake.Intake;
import palmares.live.intake.RefusalReason;
import palmares.period.ImportRuns;
import palmares.period.ImportRuns.ImportRun;

/**
 * Imports sources in their order. If the import fails, its run is not recorded as ended, so that
 * the sweep does not close its periods. Importing again adds the rest.
 */
public final class HistoryImport {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryImport.class);

  static final int BATCH_LINES = 1_000;
  private static final long HEARTBEAT_WAIT_NANOS = TimeUnit.SECONDS.toNanos(12);
  private static final long END_RETRY_MILLIS = 500;

  private final Intake intake;
  private final ImportRuns runs;
  private final ImportListener listener;
  private final ImportCounts counts = new ImportCounts();
  private long bytesBefore;

  public HistoryImport(Intake intake, ImportRuns runs, ImportListener listener) {
    this.intake = intake;
    this.runs = runs;
    this.listener = listener;
  }

  /**
   * Imports every line of every source.
   *
   * @param by who imports them
   * @throws UnreadableSource if a source cannot be read to its end
   */
  public ImportCounts take(List<HistorySource> sources, String by) throws UnreadableSource {
    String names = sources.stream().map(HistorySource::name).collect(Collectors.joining(", "));
    try (var heartbeat = new Heartbeat(runs, runs.begin(names, by))) {
      for (HistorySource source : sources) {
        take(source, new EventOrigin.History(heartbeat.run()));
      }
      end(heartbeat.run());
      heartbeat.end();
    }
    return counts;
  }

  /** Waits for the next heartbeat of another import that may run, as long as it may be late. */
  private void end(ImportRun run) {
    Instant since = runs.now();
    long start = System.nanoTime();
    while (runs.isAnotherUncertain(run, since)
        && System.nanoTime() - start < HEARTBEAT_WAIT_NANOS) {
      try {
        Thread.sleep(END_RETRY_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(
            "stopped at its end: run the import again, so that its periods are closed", e);
      }
    }
    runs.end(run, since);
  }

  private void take(HistorySource source, EventOrigin origin) throws UnreadableSource {
    long line = 0;
    try (RawInput raw = source.open()) {
      var lines = new LineReader(raw.text());
      try {
        while (takeBatch(source, lines, origin) > 0) {
          listener.taken(bytesBefore + raw.count(), counts.lines());
        }
      } finally {
        line = lines.number();
      }
      bytesBefore += raw.count();
    } catch (IOException e) {
      throw new UnreadableSource(source.name(), line, e);
    }
  }

  private int takeBatch(HistorySource source, LineReader lines, EventOrigin origin)
      throws IOException {
    var batch = new Batch(new EventBatch(), new ArrayList<>(BATCH_LINES), new ArrayList<>());
    try {
      fill(batch, lines);
    } finally {
      record(source, batch, origin); // Lines before a read error count.
    }
    return batch.size();
  }

  /** Events, with the line number of each, and the numbers of lines that are too long. */
  private record Batch(EventBatch events, List<Long> numbers, List<Long> tooLong) {
    int size() {
      return numbers.size() + tooLong.size();
    }
  }

  private static void fill(Batch batch, LineReader lines) throws IOException {
    while (batch.size() < BATCH_LINES) {
      Line line = lines.next();
      if (line == null) {
        return;
      }
      if (line.tooLong()) {
        batch.tooLong().add(line.number());
      } else {
        batch.events().addLine(line.text(), line.number());
        batch.numbers().add(line.number());
      }
    }
  }

  private void record(HistorySource source, Batch batch, EventOrigin origin) {
    for (long number : batch.tooLong()) {
      record(source, number, tooLong());
    }
    List<EventOutcome> outcomes = batch.events().sendTo(intake, origin);
    for (int i = 0; i < outcomes.size(); i++) {
      record(source, batch.numbers().get(i), outcomes.get(i));
    }
  }

  private void record(HistorySource source, long number, EventOutcome outcome) {
    counts.add(outcome);
    if (!ImportCounts.isTaken(outcome)) {
      listener.leftOut(source.name(), number, outcome);
    }
  }

  private static EventOutcome tooLong() {
    return EventOutcome.refused(
        null,
        new EventRefusal(
            RefusalReason.MALFORMED, new EventSentences.LineTooLong(LineReader.MAX_BYTES)));
  }

  /** Sends the heartbeat of an import, also while a batch takes long. */
  private static final class Heartbeat implements AutoCloseable {
    private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
    private static final Duration INTERVAL = Duration.ofSeconds(3);

    private final ImportRuns runs;
    private final ImportRun run;
    private boolean failing;
    private boolean ended;

    Heartbeat(ImportRuns runs, ImportRun run) {
      this.runs = runs;
      this.run = run;
      scheduler.setThreadNamePrefix("import-heartbeat ");
      scheduler.setDaemon(true);
      scheduler.initialize();
      scheduler.scheduleWithFixedDelay(
          this::beat, scheduler.getClock().instant().plus(INTERVAL), INTERVAL);
    }

    ImportRun run() {
      return run;
    }

    /** Catches failures so that later heartbeats are sent; without a database the import fails. */
    private void beat() {
      try {
        runs.beat(run);
        failing = false;
      } catch (Throwable e) {
        if (!failing) {
          LOG.warn("heartbeat of import {} failed: {}", run.id(), e.toString());
        }
        failing = true;
      }
    }

    /** The import has ended, and needs none any more. */
    void end() {
      ended = true;
    }

    @Override
    public void close() {
      scheduler.shutdown();
      if (ended) {
        return;
      }
      try {
        runs.stop(run);
      } catch (RuntimeException e) {
        LOG.warn("import {} could not be recorded as stopped: {}", run.id(), e.toString());
      }
    }
  }

  public interface ImportListener {
    /** Called for each line that counts on no board, because it was refused or is late. */
    void leftOut(String source, long line, EventOutcome outcome);

    /**
     * Called after each batch.
     *
     * @param bytes read so far from all sources, before decompression
     */
    void taken(long bytes, long lines);
  }

  /** Reports that a source cannot be read to its end; the lines before that were imported. */
  public static final class UnreadableSource extends IOException {
    UnreadableSource(String source, long line, IOException cause) {
      super(
          "%s cannot be read after line %d: %s".formatted(source, line, cause.getMessage()), cause);
    }
  }
}
