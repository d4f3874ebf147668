package palmares.rules.payout;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import palmares.platform.text.Choice;

/**
 * A rule by which a settled period pays its members. A rule's name is part of the key of each
 * payment, but its amounts are not. Each kind of rule is a place rule or a member rule.
 */
public sealed interface RewardRule {
  /** The default currency. */
  String CREDITS = "credits";

  /** Unique within the board: 1 to 40 lower-case letters, digits and hyphens. */
  String name();

  /** The currency of its payments: 1 to 40 lower-case letters, digits and hyphens. */
  String currency();

  /** Whether a person decides what tied members get. */
  boolean holdsTies();

  /** Whether it pays every member who may be paid. */
  boolean paysEverybody();

  /** Whether what a member gets depends on how many members may be paid. */
  boolean dependsOnEligible();

  <R> R accept(Visitor<R> visitor);

  /**
   * Has one method for each kind of rule, without defaults. Code that must know all kinds
   * implements it, and does not compile if a kind is missing.
   */
  interface Visitor<R> {
    R rankPrizes(RankPrizes rule);

    R topPercent(TopPercent rule);

    R milestones(Milestones rule);

    R perAction(PerAction rule);

    R takingPart(TakingPart rule);
  }

  /**
   * The prizes of a rule that has different ones.
   *
   * @param basis the word of what decides who gets which: rank, top, points or fewest
   */
  record PrizeTable(String rule, String currency, String basis, List<Prize> prizes) {
    /**
     * A prize.
     *
     * @param who its ranks, its percent or its points
     */
    public record Prize(String who, long amount) {}

    /**
     * The table of a rule; empty if the rule has one prize.
     *
     * @param number writes ranks and points
     */
    public static Optional<PrizeTable> of(
        RewardRule rule, boolean fewestWin, LongFunction<String> number) {
      return rule.accept(new OfRule(fewestWin, number));
    }

    private record OfRule(boolean fewestWin, LongFunction<String> number)
        implements Visitor<Optional<PrizeTable>> {
      @Override
      public Optional<PrizeTable> rankPrizes(RankPrizes rule) {
        return table(rule, "rank", rule.bands().stream().map(this::prize));
      }

      private Prize prize(Band band) {
        String first = number.apply(band.from());
        String last = number.apply(band.to());
        return new Prize(first.equals(last) ? first : first + "–" + last, band.credits());
      }

      private static Optional<PrizeTable> table(
          RewardRule rule, String basis, Stream<Prize> prizes) {
        return Optional.of(new PrizeTable(rule.name(), rule.currency(), basis, prizes.toList()));
      }

      @Override
      public Optional<PrizeTable> topPercent(TopPercent rule) {
        return table(
            rule,
            "top",
            rule.bands().stream()
                .map(share -> new Prize(share.percent().toPlainString() + " %", share.credits())));
      }

      @Override
      public Optional<PrizeTable> milestones(Milestones rule) {
        return table(
            rule,
            fewestWin ? "fewest" : "points",
            rule.steps().stream()
                .map(step -> new Prize(number.apply(step.points()), step.credits())));
      }

      @Override
      public Optional<PrizeTable> perAction(PerAction rule) {
        return Optional.empty();
      }

      @Override
      public Optional<PrizeTable> takingPart(TakingPart rule) {
        return Optional.empty();
      }
    }
  }

  /** A rule that pays for a member's place. */
  sealed interface PlaceRule extends RewardRule {
    Ties ties();

    Remainder remainder();

    @Override
    default boolean holdsTies() {
      return ties() == Ties.HOLD;
    }
  }

  /** A rule that pays for a member's points or actions, regardless of its place. */
  sealed interface MemberRule extends RewardRule {
    @Override
    default boolean holdsTies() {
      return false;
    }

    @Override
    default boolean dependsOnEligible() {
      return false;
    }
  }

  /**
   * Pays by final rank.
   *
   * @param bands in order of rank, without overlaps
   */
  record RankPrizes(String name, String currency, List<Band> bands, Ties ties, Remainder remainder)
      implements PlaceRule {
    public RankPrizes {
      bands = List.copyOf(bands);
    }

    @Override
    public boolean paysEverybody() {
      return false;
    }

    @Override
    public boolean dependsOnEligible() {
      return false;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.rankPrizes(this);
    }
  }

  /**
   * Pays the top percent of the members: those with fewer than percent · denominator / 100 members
   * ahead. Tied members share a position, regardless of the board's rank method.
   *
   * @param bands in order of percent; each begins where the previous one ends
   * @param of the denominator, counted when the period is ranked
   * @param rounding of a fraction of a place
   */
  record TopPercent(
      String name,
      String currency,
      List<Share> bands,
      Denominator of,
      Rounding rounding,
      Ties ties,
      Remainder remainder)
      implements PlaceRule {
    public TopPercent {
      bands = List.copyOf(bands);
    }

    @Override
    public boolean paysEverybody() {
      return !of.isOfEligible()
          && ties == Ties.EACH
          && bands.get(bands.size() - 1).percent().intValue() == 100;
    }

    @Override
    public boolean dependsOnEligible() {
      return of.isOfEligible();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.topPercent(this);
    }
  }

  /**
   * Pays for points: the hardest step that a member has reached.
   *
   * @param steps in order of points, the easiest first
   */
  record Milestones(String name, String currency, List<Step> steps) implements MemberRule {
    public Milestones {
      steps = List.copyOf(steps);
    }

    @Override
    public boolean paysEverybody() {
      return false;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.milestones(this);
    }
  }

  /**
   * Pays for each time that a member did an action, except undone ones.
   *
   * @param credits for each time; at least 1
   */
  record PerAction(String name, String currency, String action, long credits)
      implements MemberRule {
    @Override
    public boolean paysEverybody() {
      return false;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.perAction(this);
    }
  }

  /**
   * Pays every member who took part the same.
   *
   * @param credits for each member; at least 1
   */
  record TakingPart(String name, String currency, long credits) implements MemberRule {
    @Override
    public boolean paysEverybody() {
      return true;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.takingPart(this);
    }
  }

  /**
   * Ranks with the same prize.
   *
   * @param from the best rank; at least 1
   * @param to the last rank; at least {@code from}
   * @param credits for each member; at least 1
   */
  record Band(long from, long to, long credits) {}

  /**
   * A part of the denominator with the same prize.
   *
   * @param percent where the part ends; above 0, at most 100, at most four decimals
   * @param credits for each member; at least 1
   */
  record Share(BigDecimal percent, long credits) {}

  /**
   * A prize for points.
   *
   * @param points that must be reached; where the fewest win, that must not be exceeded
   * @param credits for each member; at least 1
   */
  record Step(long points, long credits) {}

  /** Says what tied members get. */
  enum Ties implements Choice {
    /** Each gets the prize of their shared rank. */
    EACH,
    /** They share the prizes of all their places equally. */
    SHARE,
    /** A person decides before the payout. */
    HOLD,
    /** Each gets the prize of its place in the exact order; only a person's decision can say so. */
    ORDER
  }

  /** Says what happens to credits that cannot be divided equally among tied members. */
  enum Remainder implements Choice {
    /** The first members in the exact order get one credit more each. */
    FIRST,
    /** They stay with the house. */
    HOUSE;

    public boolean isToFirst() {
      return switch (this) {
        case FIRST -> true;
        case HOUSE -> false;
      };
    }
  }

  /** The denominator of a percentage. */
  enum Denominator implements Choice {
    /** All ranked members. */
    RANKED,
    /** Members who may be paid: ranked, eligible, with the minimum points, not excluded. */
    ELIGIBLE;

    public boolean isOfEligible() {
      return switch (this) {
        case RANKED -> false;
        case ELIGIBLE -> true;
      };
    }
  }

  /** Says how a fraction of a place is rounded. */
  enum Rounding implements Choice {
    /** Up: a tenth of a place is one place. */
    UP,
    /** Down: a small board may pay nobody. */
    DOWN;

    /** Whether a fraction of a place is a place. */
    public boolean isUp() {
      return switch (this) {
        case UP -> true;
        case DOWN -> false;
      };
    }
  }
}
