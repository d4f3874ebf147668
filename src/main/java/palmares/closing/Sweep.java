package palmares.closing;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import palmares.board.Board;
import palmares.catalogue.Catalogue;
import palmares.journal.Journal;
import palmares.period.Agenda;
import palmares.period.Overlap;
import palmares.period.Period;
import palmares.period.Periods;

/**
 * Finds what there is to do by the clock of the database, whatever was missed: makes the rows of
 * coming periods, drains journals, closes what is due, and lets old live keys go.
 */
@Component
public class Sweep {
  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

  private final Catalogue catalogue;
  private final Agenda agenda;
  private final Periods periods;
  private final Journal journal;
  private final ClosingQueue queue;
  private final Retention retention;

  Sweep(
      Catalogue catalogue,
      Agenda agenda,
      Periods periods,
      Journal journal,
      ClosingQueue queue,
      Retention retention) {
    this.catalogue = catalogue;
    this.agenda = agenda;
    this.periods = periods;
    this.journal = journal;
    this.queue = queue;
    this.retention = retention;
  }

  /** Makes the rows of present and coming periods. */
  public void prepare() {
    catalogue.all().forEach(this::prepare);
  }

  private void prepare(Board board) {
    try {
      agenda.prepare(board);
    } catch (Overlap | IllegalArgumentException e) {
      LOG.error("no next period board={}: {}", board.id(), e.getMessage());
    }
  }

  /** Lets the live keys go of what was settled long ago. */
  public void expire() {
    retention.sweep();
  }

  /** One whole sweep; closings go on after it returns. */
  public List<CompletableFuture<Closed>> run() {
    prepare();
    var due = queue.close(agenda.due(), "schedule");
    expire();
    periods.open().stream().takeWhile(open -> queue.isRunning()).forEach(this::drain);
    return due;
  }

  private void drain(Period period) {
    try {
      journal.drain(period);
    } catch (RuntimeException e) {
      LOG.error(
          "journal not drained board={} period={}: {}",
          period.board(),
          period.name(),
          e.getMessage());
    }
  }
}
