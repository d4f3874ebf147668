package palmares.live.history;

import palmares.live.intake.EventOutcome;

/** Is told how an import goes on. */
public interface ImportListener {
  /** A line counts on no board: it was refused, or came too late. */
  void leftOut(String source, long line, EventOutcome outcome);

  /**
   * Another batch is done.
   *
   * @param bytes read so far of all sources, as they lie on the disk
   */
  void taken(long bytes, long lines);
}
