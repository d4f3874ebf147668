package palmares.live.history;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;
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
 * Takes the lines of an import. If it fails, its run is not recorded as ended, so that the sweep
 * does not close its periods. Importing again adds the rest.
 */
@Component
public class HistoryImport {
  private static final long HEARTBEAT_WAIT_NANOS = TimeUnit.SECONDS.toNanos(12);
  private static final long END_RETRY_MILLIS = 500;

  private final Intake intake;
  private final ImportRuns runs;

  HistoryImport(Intake intake, ImportRuns runs) {
    this.intake = intake;
    this.runs = runs;
  }

  /**
   * Takes every line of a part of a source.
   *
   * @param first the number of its first line in the source
   */
  public ImportCounts take(byte[] text, long first, ImportRun run) {
    var counts = new ImportCounts();
    var events = new EventBatch();
    var numbers = new ArrayList<Long>();
    try {
      var lines = new LineReader(new ByteArrayInputStream(text), first);
      for (Line line = lines.next(); line != null; line = lines.next()) {
        if (line.tooLong()) {
          counts.add(line.number(), tooLong());
        } else {
          events.addLine(line.text(), line.number());
          numbers.add(line.number());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<EventOutcome> outcomes = events.sendTo(intake, new EventOrigin.History(run));
    for (int i = 0; i < outcomes.size(); i++) {
      counts.add(numbers.get(i), outcomes.get(i));
    }
    return counts;
  }

  /**
   * Ends an import. Waits for the next heartbeat of another import that may run, as long as it may
   * be late.
   */
  public void end(ImportRun run) {
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

  private static EventOutcome tooLong() {
    return EventOutcome.refused(
        null,
        new EventRefusal(
            RefusalReason.MALFORMED, new EventSentences.LineTooLong(LineReader.MAX_BYTES)));
  }
}
