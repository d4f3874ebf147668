package palmares.cli.terminal;

import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** Shows progress as one line every ten seconds, for logs. */
final class LineProgress implements Progress {
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Terminal terminal;
  private final String task;
  private final Unit unit;
  private final long total;
  private final LongSupplier nanos;
  private final Texts texts = Texts.here();
  private final long start;
  private long last;

  LineProgress(Terminal terminal, String task, Unit unit, long total, LongSupplier nanos) {
    this.terminal = terminal;
    this.task = task;
    this.unit = unit;
    this.total = total;
    this.nanos = nanos;
    this.start = nanos.getAsLong();
    this.last = start;
  }

  @Override
  public synchronized void at(long done, String note) {
    long now = nanos.getAsLong();
    if (now - last >= INTERVAL_NANOS) {
      last = now;
      terminal.note(line(done, note, Math.max(1, now - start)));
    }
  }

  private String line(long done, String note, long elapsed) {
    double perSecond = (double) done * TimeUnit.SECONDS.toNanos(1) / elapsed;
    var parts = new ArrayList<Sentence>();
    parts.add(
        total > 0
            ? new CommandSentences.DoneOf(amount(done), amount(total), unit.name())
            : new CommandSentences.Done(amount(done), unit.name()));
    if (perSecond >= unit.size()) {
      parts.add(new CommandSentences.Speed(amount(perSecond)));
    }
    if (total > 0 && done > 0) {
      long left = Math.round((total - done) / perSecond);
      parts.add(
          new CommandSentences.TimeLeft(
              String.format(Locale.ROOT, "%d:%02d", left / 60, left % 60)));
    }
    if (!note.isEmpty()) {
      parts.add(Sentence.verbatim(note));
    }
    return texts.of(new CommandSentences.Progress(task, parts));
  }

  private String amount(double units) {
    return String.format(Locale.ROOT, unit.size() == 1 ? "%,.0f" : "%,.1f", units / unit.size());
  }

  @Override
  public synchronized void say(String line) {
    terminal.print(line);
  }

  @Override
  public void close() {
    terminal.err().flush();
  }
}
