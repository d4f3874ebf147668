package palmares.history;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import palmares.history.LineReader.Line;
import palmares.intake.EventBatch;
import palmares.intake.Intake;
import palmares.intake.Origin;
import palmares.intake.Outcome;
import palmares.intake.Reason;
import palmares.intake.Refusal;
import palmares.period.ImportRuns;

/**
 * One run over some sources, in their order. If it does not come to the end, the run stays unended,
 * so that nobody settles periods that are half filled; running it again brings the rest.
 */
public final class HistoryImport {
  static final int BATCH = 1_000;

  private final Intake intake;
  private final ImportRuns runs;
  private final Watcher watcher;
  private final Tally tally = new Tally();
  private long bytesBefore;

  public HistoryImport(Intake intake, ImportRuns runs, Watcher watcher) {
    this.intake = intake;
    this.runs = runs;
    this.watcher = watcher;
  }

  /**
   * Takes every line of every source.
   *
   * @throws BrokenSource if one cannot be read to its end
   */
  public Tally take(List<Source> sources) throws BrokenSource {
    String names = sources.stream().map(Source::name).collect(Collectors.joining(", "));
    try (var alive = new Heartbeat(runs, runs.begin(names))) {
      for (Source source : sources) {
        take(source, new Origin.History(alive.run()));
      }
      runs.end(alive.run());
    }
    return tally;
  }

  private void take(Source source, Origin origin) throws BrokenSource {
    long line = 0;
    try (RawInput raw = source.open()) {
      var lines = new LineReader(raw.text());
      try {
        while (takeBatch(source, lines, origin) > 0) {
          watcher.taken(bytesBefore + raw.count(), tally.lines());
        }
      } finally {
        line = lines.number();
      }
      bytesBefore += raw.count();
    } catch (IOException e) {
      throw new BrokenSource(source.name(), line, e);
    }
  }

  private int takeBatch(Source source, LineReader lines, Origin origin) throws IOException {
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

  private void settle(Source source, Batch batch, Origin origin) {
    for (long number : batch.tooLong()) {
      settle(source, number, tooLong());
    }
    List<Outcome> outcomes = batch.events().takenBy(intake, origin);
    for (int i = 0; i < outcomes.size(); i++) {
      settle(source, batch.numbers().get(i), outcomes.get(i));
    }
  }

  private void settle(Source source, long number, Outcome outcome) {
    tally.add(outcome);
    if (!Tally.isTaken(outcome)) {
      watcher.leftOut(source.name(), number, outcome);
    }
  }

  private static Outcome tooLong() {
    return Outcome.refused(
        null,
        new Refusal(
            Reason.MALFORMED, "a line takes at most %d bytes".formatted(LineReader.MOST_BYTES)));
  }
}
