package palmares.catalogue.payouts;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import palmares.form.Entry;
import palmares.form.Field;
import palmares.form.Filled;
import palmares.payout.Payout.Match;
import palmares.payout.RewardRule;
import palmares.payout.RewardRule.Denominator;
import palmares.payout.RewardRule.TakingPart;
import palmares.payout.RewardRule.TopPercent;

/** Makes reward rules of a file, and checks that each can pay somebody, and can be paid. */
final class RewardReader {
  /** What a rule pays for: it has one of these. */
  private static final List<Field<?>> WAYS =
      List.of(
          RewardForm.RANKS,
          RewardForm.TOP,
          RewardForm.POINTS,
          RewardForm.PER,
          RewardForm.TAKING_PART);

  private final Ground ground;
  private final Match match;
  private final @Nullable Long minPoints;
  private final @Nullable String counts;
  private final List<RewardRule> rules = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private @Nullable String taker;

  RewardReader(Ground ground, Match match, @Nullable Long minPoints, @Nullable String counts) {
    this.ground = ground;
    this.match = match;
    this.minPoints = minPoints;
    this.counts = counts;
  }

  /** The rules that are right; faults of the others are noted. */
  List<RewardRule> read(List<Entry<Integer, Filled>> entries) {
    for (var entry : entries) {
      Filled filled = entry.value();
      RewardRule rule = filled == null || !filled.whole() ? null : rule(filled);
      if (filled != null && rule != null) {
        check(filled, rule);
        rules.add(rule);
      }
    }
    return rules;
  }

  private @Nullable RewardRule rule(Filled filled) {
    List<String> ways = WAYS.stream().filter(filled::has).map(Field::name).toList();
    if (ways.isEmpty()) {
      filled.spot().fault("must have one of ranks, top, points, taking-part, or per and credits");
      return null;
    }
    if (ways.size() > 1) {
      filled
          .spot()
          .fault(
              "must have one of %s, not all of them: make a rule of each"
                  .formatted(String.join(", ", ways)));
      return null;
    }
    return fits(filled, ways.get(0)) ? rule(filled, ways.get(0)) : null;
  }

  private @Nullable RewardRule rule(Filled filled, String way) {
    return switch (way) {
      case "ranks" -> PlaceRules.ranks(filled, ground);
      case "top" -> PlaceRules.top(filled, ground);
      case "points" -> MemberRules.milestones(filled, ground, minPoints);
      case "per" -> MemberRules.perAction(filled, ground);
      default -> MemberRules.takingPart(filled);
    };
  }

  private static boolean fits(Filled filled, String way) {
    return fits(filled, RewardForm.CREDITS, way, "per")
        & fits(filled, RewardForm.TIES, way, "ranks", "top")
        & fits(filled, RewardForm.REMAINDER, way, "ranks", "top")
        & fits(filled, RewardForm.OF, way, "top")
        & fits(filled, RewardForm.ROUNDING, way, "top")
        & fits(filled, RewardForm.GAPS, way, "ranks");
  }

  private static boolean fits(Filled filled, Field<?> field, String way, String... ways) {
    if (!filled.has(field) || List.of(ways).contains(way)) {
      return true;
    }
    filled
        .spot(field)
        .fault(
            "goes only with %s, not with %s: take it out"
                .formatted(String.join(" or ", ways), way));
    return false;
  }

  private void check(Filled filled, RewardRule rule) {
    if (!names.add(rule.name())) {
      filled
          .spot(RewardForm.RULE)
          .fault("is the name of a rule above: name it otherwise, not " + rule.name());
    }
    if (rule.currency().equals(counts)) {
      filled
          .spot(RewardForm.CURRENCY)
          .fault(
              "must not be %s, which the board's points count: the prize would feed the board that"
                      .formatted(counts)
                  + " it is won on");
    }
    if (taker != null) {
      filled
          .spot()
          .fault(
              "can never pay: with match: first, '%s' above gives everybody something"
                  .formatted(taker));
    } else if (match == Match.FIRST && takesAll(rule)) {
      taker = rule.name();
    }
  }

  /** Whether nobody who may be paid is left for the rules below. */
  private static boolean takesAll(RewardRule rule) {
    return rule instanceof TakingPart
        || rule instanceof TopPercent top
            && top.of() == Denominator.RANKED
            && top.ties() == RewardRule.Ties.EACH
            && top.bands().get(top.bands().size() - 1).percent().intValue() == 100;
  }
}
