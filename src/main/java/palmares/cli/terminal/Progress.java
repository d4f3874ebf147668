package palmares.cli.terminal;

/** Shows how far long work has come, how fast it goes, and when it will be done. */
public interface Progress extends AutoCloseable {
  /** Stands for a total that nobody knows. */
  long UNKNOWN = -1;

  /**
   * A bar where a person watches, else a line now and then.
   *
   * @param task one word for what goes on
   * @param total how many units there are to do, or {@link #UNKNOWN}
   */
  static Progress of(Terminal terminal, String task, Unit unit, long total) {
    return terminal.watched()
        ? new BarProgress(terminal, task, unit, total)
        : new LineProgress(terminal, task, unit, total, System::nanoTime);
  }

  /**
   * What is counted.
   *
   * @param name as it stands behind a number, with its blank
   * @param size how many make one of the name
   */
  record Unit(String name, long size) {}

  /** So much is done. Safe to call from several threads. */
  void at(long done, String note);

  /** Prints a line of the results without spoiling the bar. */
  void say(String line);

  @Override
  void close();
}
