package palmares.live.history;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import palmares.live.history.LineReader.Line;
import palmares.live.intake.EventBatch;
import palmares.live.intake.EventOrigin;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.Intake;
import palmares.live.intake.Refusal;
import palmares.live.intake.RefusalReason;
import palmares.period.ImportRuns;

/**
 * One run over some sources, in their order. If it does not come to the end, the run stays unended,
 * so that nobody settles periods that are half filled; running it again brings the rest.
 */
public final class HistoryImport {
  static final int BATCH = 1_000;

  private final Intake intake;
  private final ImportRuns runs;
  private final ImportListener watcher;
  private final ImportCounts importCounts = new ImportCounts();
  private long bytesBefore;

  public HistoryImport(Intake intake, ImportRuns runs, ImportListener watcher) {
    this.intake = intake;
    this.runs = runs;
    this.watcher = watcher;
  }

  /**
   * Takes every line of every source.
   *
   * @throws UnreadableSource if one cannot be read to its end
   */
  public ImportCounts take(List<HistorySource> sources) throws UnreadableSource {
    String names = sources.stream().map(HistorySource::name).collect(Collectors.joining(", "));
    try (var alive = new Heartbeat(runs, runs.begin(names))) {
      for (HistorySource source : sources) {
        take(source, new EventOrigin.History(alive.run()));
      }
      runs.end(alive.run());
    }
    return importCounts;
  }

  private void take(HistorySource source, EventOrigin origin) throws UnreadableSource {
    long line = 0;
    try (RawInput raw = source.open()) {
      var lines = new LineReader(raw.text());
      try {
        while (takeBatch(source, lines, origin) > 0) {
          watcher.taken(bytesBefore + raw.count(), importCounts.lines());
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
    var batch = new Batch(new EventBatch(), new ArrayList<>(BATCH), new ArrayList<>());
    try {
      fill(batch, lines);
    } finally {
      settle(source, batch, origin); // What came before a break counts.
    }
    return batch.size();
  }

  /** Events on their way, and the number of the line that each came from. */
  private record Batch(EventBatch events, List<Long> numbers, List<Long> tooLong) {
    int size() {
      return numbers.size() + tooLong.size();
    }
  }

  private static void fill(Batch batch, LineReader lines) throws IOException {
    while (batch.size() < BATCH) {
      Line line = lines.next();
      if (line == null) {
        return;
      }
      if (line.tooLong()) {
        batch.tooLong().add(line.number());
      } else {
        batch.events().addLine(line.text());
        batch.numbers().add(line.number());
      }
    }
  }

  private void settle(HistorySource source, Batch batch, EventOrigin origin) {
    for (long number : batch.tooLong()) {
      settle(source, number, tooLong());
    }
    List<EventOutcome> outcomes = batch.events().sendTo(intake, origin);
    for (int i = 0; i < outcomes.size(); i++) {
      settle(source, batch.numbers().get(i), outcomes.get(i));
    }
  }

  private void settle(HistorySource source, long number, EventOutcome outcome) {
    importCounts.add(outcome);
    if (!ImportCounts.isTaken(outcome)) {
      watcher.leftOut(source.name(), number, outcome);
    }
  }

  private static EventOutcome tooLong() {
    return EventOutcome.refused(
        null,
        new Refusal(
            RefusalReason.MALFORMED,
            "a line takes at most %d bytes".formatted(LineReader.MOST_BYTES)));
  }
}
