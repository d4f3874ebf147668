package palmares.cli.terminal;

/** Shows how much of a long task is done, its speed and the time left. Thread-safe. */
public interface Progress extends AutoCloseable {
  /** The total of a task whose size is not known. */
  long UNKNOWN = -1;

  /**
   * Shows a bar on an interactive terminal, else a line every ten seconds.
   *
   * @param task one word that names the task
   * @param total the size of the task in base units, or {@link #UNKNOWN}
   */
  static Progress of(Terminal terminal, String task, Unit unit, long total) {
    return terminal.watched()
        ? new BarProgress(terminal, task, unit, total)
        : new LineProgress(terminal, task, unit, total, System::nanoTime);
  }

  /**
   * The unit that progress is shown in.
   *
   * @param name the suffix of a number, with its leading space
   * @param size how many base units make one of it
   */
  record Unit(String name, long size) {}

  /**
   * Reports progress.
   *
   * @param done base units done so far
   * @param note a text for people; may be empty
   */
  void at(long done, String note);

  /** Prints a line to the results without breaking the bar. */
  void say(String line);

  @Override
  void close();
}
