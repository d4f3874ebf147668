package palmares.cli.terminal;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows progress as a bar that is redrawn in place. */
final class BarProgress implements Progress {
  private static final int WIDTH = 100;
  private static final int REDRAW_MILLIS = 200;
  private static final String ERASE_LINE = "\r\u001b[K";

  private final Terminal terminal;
  private final ProgressBar bar;

  BarProgress(Terminal terminal, String task, Unit unit, long total) {
    this.terminal = terminal;
    this.bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setUnit(unit.name(), unit.size())
            .showSpeed()
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(REDRAW_MILLIS)
            .setConsumer(new ConsoleProgressBarConsumer(terminal.err(), WIDTH))
            .build();
  }

  @Override
  public void at(long done, String note) {
    bar.stepTo(done);
    bar.setExtraMessage(" " + note);
  }

  @Override
  public void say(String line) {
    terminal.err().print(ERASE_LINE);
    terminal.err().flush();
    terminal.print(line);
  }

  @Override
  public void close() {
    bar.close();
  }
}
