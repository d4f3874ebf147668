package palmares.live.history;

import palmares.live.intake.EventOutcome;

/** Receives the progress of an import. */
public interface ImportListener {
  /** Called for each line that counts on no board, because it was refused or is late. */
  void leftOut(String source, long line, EventOutcome outcome);

  /**
   * Called after each batch.
   *
   * @param bytes read so far from all sources, before decompression
   */
  void taken(long bytes, long lines);
}
