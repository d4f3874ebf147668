package palmares.history;

import palmares.intake.Outcome;

/** Is told how an import goes on. */
public interface Watcher {
  /** A line counts on no board: it was refused, or came too late. */
  void leftOut(String source, long line, Outcome outcome);

  /**
   * Another batch is done.
   *
   * @param bytes read so far of all sources, as they lie on the disk
   */
  void taken(long bytes, long lines);
}
