package palmares.live;

import java.nio.charset.StandardCharsets;
import palmares.board.BoardId;
import palmares.calendar.PeriodName;

/**
 * The Redis keys of one live board. They share a hash tag, so that a script reaches all of them on
 * a cluster too.
 */
public record LiveKeys(BoardId board, PeriodName period) {

  byte[] meta() {
    return key("meta");
  }

  byte[] lines() {
    return key("board");
  }

  byte[] ids() {
    return key("ids");
  }

  byte[] given() {
    return key("given");
  }

  byte[] journal() {
    return key("journal");
  }

  byte[] levels() {
    return key("levels");
  }

  byte[] holders() {
    return key("holders");
  }

  byte[] places() {
    return key("places");
  }

  /** Who is excluded, and to which level. */
  byte[] excluded() {
    return key("excluded");
  }

  /** The lines of those among them who stand on the board. */
  byte[] excludedLines() {
    return key("excluded-lines");
  }

  /** Entries that a journal had in the place of others, while its board is made anew. */
  byte[] strays() {
    return key("strays");
  }

  /** There while a batch is applied, and nothing of it was put off. */
  byte[] turn(String batch) {
    return key("turn:" + batch);
  }

  byte[][] all() {
    return new byte[][] {
      meta(),
      lines(),
      ids(),
      given(),
      journal(),
      levels(),
      holders(),
      places(),
      excluded(),
      excludedLines(),
    };
  }

  private byte[] key(String part) {
    return ("palmares:{" + board + ":" + period + "}:" + part).getBytes(StandardCharsets.UTF_8);
  }
}
