package palmares.settlement.outcome;

import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import palmares.period.PeriodId;
import palmares.platform.sql.RecordMapper.Prefixed;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;
import palmares.rules.board.Sha256;
import palmares.rules.payout.OverpaymentPolicy;
import palmares.rules.payout.RewardRule.Ties;

/**
 * One outcome of a period.
 *
 * @param id the number of the outcome, which its lines and payments carry; below zero if it shares
 *     tables with others, above zero if it has its own
 * @param number 1 for the closing's revision, one more for each amendment
 * @param base the revision that it amends; null for the first
 * @param definitionHash the hash of the rules that it awards by
 * @param owed what happens to an amount that a member was overpaid
 * @param preparedBy who closed the period or requested the amendment
 * @param preparedAt when it was closed or requested
 * @param twoPerson whether two people must approve it
 * @param heldFor why it is held for a person's approval; empty if it is not held
 * @param releaseAt when it is released automatically; null if never
 * @param ties how a person decided ties so far; null if nobody has
 * @param decision the verdict; null before
 * @param postedAt when its payments became money; null before
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
    List<HoldReason> heldFor,
    @Nullable Instant releaseAt,
    @Nullable Ties ties,
    @Prefixed @Nullable Decision decision,
    @Nullable Instant postedAt) {
  /** The number of the closing's revision. */
  public static final int FIRST = 1;

  /** Replaces the digest where a person names nothing that was shown; no outcome has it. */
  public static final String NOTHING_SHOWN = "";

  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{8}");

  /** Whether a text has the form of a {@link #digest}. */
  public static boolean isDigest(String text) {
    return DIGEST.matcher(text).matches();
  }

  /**
   * Returns eight hexadecimal digits that change if the outcome is computed again, its ties are
   * decided, or the reasons for holding it change.
   */
  public String digest() {
    return digest(ties);
  }

  /** Whether a digest is that of the outcome, as it is or before its ties were decided. */
  public boolean wasShownAs(String digest) {
    return digest.equals(digest()) || digest.equals(digest(null));
  }

  private String digest(@Nullable Ties ties) {
    return Sha256.of(
            "%s/%s/%s/%s/%s".formatted(period, number, preparedAt, ties, HoldReason.write(heldFor)))
        .substring(0, 8);
  }

  /** Returns whether a person must approve or reject it. */
  public boolean awaitsDecision() {
    return decision == null && (base != null || !heldFor.isEmpty());
  }

  /**
   * A decision on an outcome.
   *
   * @param by a person's name, or {@link Decision#RULES}
   * @param reason what a person wrote, or the word of a {@link RulesReason}
   */
  public record Decision(Verdict verdict, String by, Instant at, String reason) {
    /** The name that approves if no person has to. */
    public static final String RULES = "the board's rules";

    /** Says why. */
    public Sentence why() {
      return why(by, reason);
    }

    /** As {@link #why()}. */
    public static Sentence why(String by, String reason) {
      return Choice.find(RulesReason.values(), reason)
          .filter(known -> by.equals(RULES))
          .<Sentence>map(ApproverSentences.ByRules::new)
          .orElseGet(() -> Sentence.verbatim(reason));
    }
  }

  /** Why an outcome may be posted although no person has approved it. */
  public enum RulesReason implements Choice {
    NO_PERSON_ASKED,
    NOBODY_OBJECTED
  }

  /** Whether an outcome may be posted. */
  public enum Verdict implements Choice {
    APPROVED,
    REJECTED
  }
}
