package palmares.settlement.lines;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Saying;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;
import palmares.rules.board.RankMethod;

/** Numbers the lines of a board, which come in their final order: places from 1, and ranks. */
final class PlaceNumbering {
  private final RankMethod method;
  private final Comparator<MemberScore> byPlace;
  private final Comparator<MemberScore> byLevel;
  private @Nullable MemberScore last;
  private int place;
  private int rank;
  private int levels;

  PlaceNumbering(Board board) {
    method = board.ranks();
    byPlace = board.scale().byPlace();
    byLevel = board.scale().byLevel();
  }

  /**
   * Begins after a line that has a rank.
   *
   * @param levels the number of levels up to its own
   */
  void beginAfter(MemberScore line, int itsPlace, int itsRank, int levels) {
    last = line;
    place = itsPlace;
    rank = itsRank;
    this.levels = levels;
  }

  /**
   * Numbers the next line that has a rank.
   *
   * @throws OutOfOrder if the line belongs before the former one
   */
  void ranked(MemberScore line) {
    if (last != null && byPlace.compare(last, line) >= 0) {
      throw new OutOfOrder(last.member(), line.member());
    }
    place++;
    if (last == null || byLevel.compare(last, line) != 0) {
      rank = place;
      levels++;
    }
    last = line;
  }

  int place() {
    return place;
  }

  int rank() {
    return switch (method) {
      case UNIQUE -> place;
      case COMPETITION -> rank;
      case DENSE -> levels;
    };
  }

  /** Signals that two lines of a frozen board are out of order. */
  static final class OutOfOrder extends RuntimeException implements Saying {
    private final transient Sentence said;

    OutOfOrder(String first, String second) {
      said = new ReconciliationSentences.OutOfOrder(first, second);
    }

    @Override
    public Sentence said() {
      return said;
    }

    @Override
    public String getMessage() {
      return Texts.english(said);
    }
  }
}
