package palmares.board;

import java.util.List;

/** What a settled period pays. A rule's name is part of each transfer's key, its figures never. */
public sealed interface RewardRule {

  /** Unique within the board: 1 to 40 lower-case letters, digits and hyphens. */
  String name();

  /**
   * Prizes by final rank.
   *
   * @param bands in order of rank, none overlapping another
   */
  record RankPrizes(String name, List<Band> bands) implements RewardRule {
    public RankPrizes {
      bands = List.copyOf(bands);
    }
  }

  /**
   * Credits for each time that a member did an action, undone ones not counted.
   *
   * @param credits for each; at least 1
   */
  record PerAction(String name, String action, long credits) implements RewardRule {}

  /**
   * Ranks that get the same prize.
   *
   * @param from the best rank of the band; at least 1
   * @param to the last rank of the band; at least {@code from}
   * @param credits for each member ranked here; at least 1
   */
  record Band(long from, long to, long credits) {}
}
