package palmares.bench.cli;

import palmares.bench.ProgressListener;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.Terminal;

/**
 * Shows each task as a progress bar.
 *
 * @param unit what a task counts, in the plural
 */
record TerminalProgress(Terminal terminal, String unit) implements ProgressListener {
  @Override
  public Task begin(String task, long total) {
    Progress progress = Progress.of(terminal, task, new Progress.Unit(" " + unit, 1), total);
    return new Task() {
      @Override
      public void at(long done) {
        progress.at(done, "");
      }

      @Override
      public void close() {
        progress.close();
      }
    };
  }

  @Override
  public void report(String line) {
    terminal.note(line);
  }
}
