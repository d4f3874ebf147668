package palmares.settlement.wallet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.settlement.wallet.Receipt.Result;

/**
 * A posted award, or the return of one, and what the wallet said of it last.
 *
 * @param named as somebody named it
 * @param isReturn whether it takes an award back
 * @param rule the rule's number in the outcome
 * @param receipts how many receipts it has
 * @param lastResult of the last receipt; null, as its time, if there is none
 * @param takenBackIn the revision that took the last of the award back, delivered to the wallet;
 *     null if the member keeps some of it
 */
record WalletAward(
    String named,
    boolean isReturn,
    int outcome,
    int rule,
    String member,
    String currency,
    long amount,
    int receipts,
    @Nullable Result lastResult,
    @Nullable Instant lastAt,
    @Nullable Integer takenBackIn) {
  WalletAward takenBackIn(@Nullable Integer revision) {
    return new WalletAward(
        named,
        isReturn,
        outcome,
        rule,
        member,
        currency,
        amount,
        receipts,
        lastResult,
        lastAt,
        revision);
  }

  /** Differs from that of each other award. */
  String id() {
    return id(outcome, rule, member);
  }

  static String id(int outcome, int rule, String member) {
    return outcome + " " + rule + " " + member;
  }
}
