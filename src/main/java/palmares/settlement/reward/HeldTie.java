package palmares.settlement.reward;

import java.util.List;

/**
 * A group of members with equal points whose prizes depend on a person's decision on ties. On a
 * dense board it can be a single member: a tie ranked ahead changes its seat, but not its rank.
 *
 * @param rule the rule's name
 * @param currency the currency that the rule pays
 * @param rank the rank that they share
 * @param size the number of members; at least 1
 * @param members the first ten of them, in the order of their places
 * @param pool the sum of the prizes of their places
 */
public record HeldTie(
    String rule, String currency, long rank, long size, List<String> members, long pool) {
  public HeldTie {
    members = List.copyOf(members);
  }
}
