package palmares.catalogue.payouts;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.form.Entry;
import palmares.form.Field;
import palmares.form.Filled;
import palmares.payout.Payout.Match;
import palmares.payout.RewardRule;

/** Makes reward rules of a file, and checks that each can pay somebody, and can be paid. */
final class RewardReader {
  /** What a rule pays for: it has the field of one of these. */
  private enum Way {
    RANKS(RewardForm.RANKS),
    TOP(RewardForm.TOP),
    POINTS(RewardForm.POINTS),
    PER(RewardForm.PER),
    TAKING_PART(RewardForm.TAKING_PART);

    private final Field<?> field;

    Way(Field<?> field) {
      this.field = field;
    }

    String word() {
      return field.name();
    }
  }

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
    List<Way> ways = Stream.of(Way.values()).filter(way -> filled.has(way.field)).toList();
    if (ways.isEmpty()) {
      filled.spot().fault("must have one of ranks, top, points, taking-part, or per and credits");
      return null;
    }
    if (ways.size() > 1) {
      filled
          .spot()
          .fault(
              "must have one of %s, not all of them: make a rule of each"
                  .formatted(words(", ", ways)));
      return null;
    }
    return fits(filled, ways.get(0)) ? rule(filled, ways.get(0)) : null;
  }

  private static String words(String between, List<Way> ways) {
    return ways.stream().map(Way::word).collect(Collectors.joining(between));
  }

  private @Nullable RewardRule rule(Filled filled, Way way) {
    return switch (way) {
      case RANKS -> PlaceRules.ranks(filled, ground);
      case TOP -> PlaceRules.top(filled, ground);
      case POINTS -> MemberRules.milestones(filled, ground, minPoints);
      case PER -> MemberRules.perAction(filled, ground);
      case TAKING_PART -> MemberRules.takingPart(filled);
    };
  }

  private static boolean fits(Filled filled, Way way) {
    return fits(filled, RewardForm.CREDITS, way, Way.PER)
        & fits(filled, RewardForm.TIES, way, Way.RANKS, Way.TOP)
        & fits(filled, RewardForm.REMAINDER, way, Way.RANKS, Way.TOP)
        & fits(filled, RewardForm.OF, way, Way.TOP)
        & fits(filled, RewardForm.ROUNDING, way, Way.TOP)
        & fits(filled, RewardForm.GAPS, way, Way.RANKS);
  }

  private static boolean fits(Filled filled, Field<?> field, Way way, Way... ways) {
    if (!filled.has(field) || List.of(ways).contains(way)) {
      return true;
    }
    filled
        .spot(field)
        .fault(
            "goes only with %s, not with %s: take it out"
                .formatted(words(" or ", List.of(ways)), way.word()));
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
    } else if (match == Match.FIRST && rule.paysEverybody()) {
      taker = rule.name();
    }
  }
}
