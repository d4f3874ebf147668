package palmares.settlement.outcome;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import palmares.period.PeriodId;
import palmares.rules.board.Sha256;
import palmares.rules.payout.OverpaymentPolicy;
import palmares.rules.payout.RewardRule.Ties;

/**
 * One outcome of a period.
 *
 * @param id the number of the outcome, which its lines and payments carry; below zero where they
 *     share tables with others, above zero where they have tables of their own
 * @param number 1 for the closing's, one more for each amendment
 * @param base the revision that it amends; null for the first
 * @param definitionHash the rules that it awards by
 * @param owed what becomes of what a member was paid too much
 * @param preparedBy who closed the period or asked for the amendment
 * @param preparedAt when
 * @param twoPerson whether two people must stand behind it before it is posted
 * @param heldFor why it waits for a person; empty if it need not
 * @param releaseAt when it goes on by itself; null if it never does
 * @param ties how a person decided ties so far; null if nobody has
 * @param decision what a person made of it, or the rules where nobody had to be asked; null before
 * @param postedAt when it was paid; null before
 */
public record Revision(
    int id,
    PeriodId period,
    int number,
    @Nullable Integer base,
    String definitionHash,
    OverpaymentPolicy owed,
    String preparedBy,
    Instant preparedAt,
    boolean twoPerson,
    List<String> heldFor,
    @Nullable Instant releaseAt,
    @Nullable Ties ties,
    @Nullable Decision decision,
    @Nullable Instant postedAt) {
  /** That of the closing; amendments count on from here. */
  public static final int FIRST = 1;

  /**
   * Eight hexadecimal digits that change if the outcome is computed again under the same number,
   * its ties are decided, or it is held for other reasons or figures.
   */
  public String digest() {
    return Sha256.of(
            "%s/%d/%s/%s/%s"
                .formatted(period, number, preparedAt, ties, String.join("\n", heldFor)))
        .substring(0, 8);
  }

  /** Whether it is computed, and neither decided on nor paid. */
  public boolean waits() {
    return decision == null && (base != null || !heldFor.isEmpty());
  }

  /**
   * What became of it.
   *
   * @param verdict approved or rejected
   * @param by a person's name, or {@link Decision#RULES}
   * @param ties how ties that were left to a person are paid; null if there are none
   */
  public record Decision(
      Verdict verdict, String by, Instant at, String reason, @Nullable Ties ties) {
    /** Who approves where nobody has to be asked. */
    public static final String RULES = "the board's rules";
  }

  /** What a person made of it. */
  public enum Verdict {
    APPROVED,
    REJECTED;

    /** As the database and people spell it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
