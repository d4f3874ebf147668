package palmares.console;

import static java.math.BigDecimal.ZERO;
import static java.util.Comparator.comparing;

import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import palmares.operations.batches.Batches.ApprovalPage;
import palmares.operations.tasks.ExpectedPayout;
import palmares.platform.text.Choice;
import palmares.rules.payout.OverpaymentPolicy;
import palmares.settlement.outcome.PaymentSums.Sum;

/**
 * The money that a decision moves, by currency.
 *
 * @param isClosing whether closings are paid; else amendments are posted
 * @param isEstimate whether the sums may change until they are computed
 * @param overpaid what happens to amounts that members were overpaid, by the rules that apply
 */
record Stake(
    List<Sum> sums, boolean isClosing, boolean isEstimate, Set<OverpaymentPolicy> overpaid) {
  Stake {
    sums = List.copyOf(sums);
    overpaid = Set.copyOf(overpaid);
  }

  /** What is done with the money, as buttons and sentences name it. */
  enum Kind implements Choice {
    /** Nothing is moved. */
    NOTHING,
    /** A closing pays. */
    PAYS,
    /** Members get more, and none was overpaid. */
    POSTS,
    /** Some members get more, and others give back. */
    POSTS_AND_TAKES_BACK,
    TAKES_BACK,
    /** Some members get more, and the house bears what others were overpaid. */
    POSTS_AND_WRITES_OFF,
    WRITES_OFF,
    /** Some members get more, and others owe what they were overpaid. */
    POSTS_AND_CHARGES,
    CHARGES,
    /** The rules of several boards differ in what happens to overpaid amounts. */
    POSTS_AND_CORRECTS,
    CORRECTS
  }

  static Stake closing(List<Sum> sums) {
    return new Stake(sums, true, false, Set.of());
  }

  static Stake amendment(List<Sum> sums, OverpaymentPolicy overpaid) {
    return new Stake(sums, false, false, Set.of(overpaid));
  }

  /** What a dry run would pay. */
  static Stake of(ExpectedPayout pays) {
    return new Stake(
        pays.sums().entrySet().stream()
            .map(sum -> new Sum(sum.getKey(), sum.getValue(), ZERO))
            .sorted(comparing(Sum::currency))
            .toList(),
        true,
        pays.estimate(),
        Set.of());
  }

  /** What all outcomes of a batch move. */
  static Stake of(ApprovalPage batch) {
    return new Stake(
        together(
            batch.sums().stream().map(s -> new Sum(s.currency(), s.gets(), s.owes())).toList()),
        batch.overpaid().isEmpty(),
        false,
        batch.overpaid());
  }

  /** Adds sums of one currency up. */
  static List<Sum> together(List<Sum> sums) {
    return sums.stream().map(Sum::currency).distinct().sorted().map(c -> sum(c, sums)).toList();
  }

  private static Sum sum(String currency, List<Sum> sums) {
    List<Sum> own = sums.stream().filter(sum -> sum.currency().equals(currency)).toList();
    return new Sum(
        currency,
        own.stream().map(Sum::gets).reduce(ZERO, BigDecimal::add),
        own.stream().map(Sum::owes).reduce(ZERO, BigDecimal::add));
  }

  /** What happens to overpaid amounts; null if there are none, or by several policies. */
  public @Nullable String owed() {
    return overpaid.size() == 1 ? overpaid.iterator().next().word() : null;
  }

  Kind kind() {
    boolean gets = sums.stream().anyMatch(sum -> sum.gets().signum() > 0);
    boolean owes = sums.stream().anyMatch(sum -> sum.owes().signum() > 0);
    if (!owes) {
      return !gets ? Kind.NOTHING : isClosing ? Kind.PAYS : Kind.POSTS;
    }
    if (overpaid.size() != 1) {
      return gets ? Kind.POSTS_AND_CORRECTS : Kind.CORRECTS;
    }
    return switch (overpaid.iterator().next()) {
      case TAKE -> gets ? Kind.POSTS_AND_TAKES_BACK : Kind.TAKES_BACK;
      case WRITE_OFF -> gets ? Kind.POSTS_AND_WRITES_OFF : Kind.WRITES_OFF;
      case DEBT -> gets ? Kind.POSTS_AND_CHARGES : Kind.CHARGES;
    };
  }
}
