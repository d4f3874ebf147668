package palmares.rules.payout;

import java.math.BigDecimal;
import java.util.List;

/**
 * What a settled period pays. A rule's name is part of each transfer's key, its figures never. Each
 * kind of rule is a place rule or a member rule.
 */
public sealed interface RewardRule {
  /** What is paid where a rule does not say otherwise. */
  String CREDITS = "credits";

  /** Unique within the board: 1 to 40 lower-case letters, digits and hyphens. */
  String name();

  /** What it pays in: 1 to 40 lower-case letters, digits and hyphens. */
  String currency();

  /** Whether a person decides what members of equal points get. */
  boolean holdsTies();

  /** Whether every member who may be paid is sure to get something. */
  boolean paysEverybody();

  /** Calls the visitor's method for this kind of rule. */
  <R> R accept(Visitor<R> visitor);

  /**
   * One method for each kind of rule, none with a default: whatever must know all kinds implements
   * it, and does not compile while it lacks one.
   */
  interface Visitor<R> {
    R rankPrizes(RankPrizes rule);

    R topPercent(TopPercent rule);

    R milestones(Milestones rule);

    R perAction(PerAction rule);

    R takingPart(TakingPart rule);
  }

  /** A rule that pays by a member's place among the others. */
  sealed interface PlaceRule extends RewardRule {
    Ties ties();

    Remainder remainder();

    @Override
    default boolean holdsTies() {
      return ties() == Ties.HOLD;
    }
  }

  /** A rule that pays for what a member did, whatever its place. */
  sealed interface MemberRule extends RewardRule {
    @Override
    default boolean holdsTies() {
      return false;
    }
  }

  /**
   * Prizes by final rank.
   *
   * @param bands in order of rank, none overlapping another
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
    public <R> R accept(Visitor<R> visitor) {
      return visitor.rankPrizes(this);
    }
  }

  /**
   * Prizes for the best percent of the members: those before whom fewer than percent · denominator
   * / 100 members stand. Equal points count as one position, whatever the board's ranks are.
   *
   * @param bands in order of percent; each begins where the one before it ends
   * @param of what the percentage is of, counted when the period is ranked
   * @param rounding what becomes of a fraction of a place
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
      return of == Denominator.RANKED
          && ties == Ties.EACH
          && bands.get(bands.size() - 1).percent().intValue() == 100;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.topPercent(this);
    }
  }

  /**
   * A prize for points: of the steps that a member has reached, the farthest pays.
   *
   * @param steps in order of their points, the easiest first
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
   * Credits for each time that a member did an action, undone ones not counted.
   *
   * @param credits for each; at least 1
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
   * The same for everybody who took part.
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
   * Ranks that get the same prize.
   *
   * @param from the best rank of the band; at least 1
   * @param to the last rank of the band; at least {@code from}
   * @param credits for each member ranked here; at least 1
   */
  record Band(long from, long to, long credits) {}

  /**
   * A part of the denominator that gets the same prize.
   *
   * @param percent where the band ends; above 0, at most 100, at most four decimals
   * @param credits for each member ranked here; at least 1
   */
  record Share(BigDecimal percent, long credits) {}

  /**
   * A prize for points.
   *
   * @param points that must be reached; where the fewest win, not exceeded
   * @param credits for each member who has; at least 1
   */
  record Step(long points, long credits) {}

  /** What members of equal points get where their rank has a prize. */
  enum Ties implements Choice {
    /** Each the prize of the rank that they share. */
    EACH,
    /** The prizes of all the places that they take, in equal parts. */
    SHARE,
    /** What a person decides, who is asked before anything is paid. */
    HOLD,
    /** Each the prize of its own place in the one exact order: only a person decides so. */
    ORDER
  }

  /** What becomes of credits that do not divide among those who share a prize. */
  enum Remainder implements Choice {
    /** One credit more for each of the first of them, in the one exact order. */
    FIRST,
    /** Stays with the house. */
    HOUSE
  }

  /** What a percentage is of. */
  enum Denominator implements Choice {
    /** All members who have a rank. */
    RANKED,
    /** Members who may have a prize: ranked, eligible, with the least points, not excluded. */
    ELIGIBLE
  }

  /** What becomes of a fraction of a place. */
  enum Rounding implements Choice {
    /** One place more: a tenth of a member is one member. */
    UP,
    /** None: a small board may pay nobody. */
    DOWN
  }
}
