package palmares.settlement.reward;

import java.util.List;

/**
 * Members of equal points whose prize depends on how ties are paid, where a rule leaves that to a
 * person. On a dense board it can be one member alone: a tie ranked ahead moves its seat, not its
 * rank.
 *
 * @param rule the rule's name
 * @param currency what it pays in
 * @param rank the rank that they share
 * @param size how many they are; at least 1
 * @param members the first ten of them, in the one exact order
 * @param pool the prizes of all the places that they take
 */
public record HeldTie(
    String rule, String currency, long rank, long size, List<String> members, long pool) {
  public HeldTie {
    members = List.copyOf(members);
  }
}
