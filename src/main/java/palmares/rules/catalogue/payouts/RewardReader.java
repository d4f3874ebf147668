package palmares.rules.catalogue.payouts;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Entry;
import palmares.platform.form.Field;
import palmares.platform.form.FormValue;
import palmares.rules.payout.Payout.Match;
import palmares.rules.payout.RewardRule;

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

  private final PayoutContext payoutContext;
  private final Match match;
  private final @Nullable Long minPoints;
  private final @Nullable String counts;
  private final List<RewardRule> rules = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private @Nullable String taker;

  RewardReader(
      PayoutContext payoutContext, Match match, @Nullable Long minPoints, @Nullable String counts) {
    this.payoutContext = payoutContext;
    this.match = match;
    this.minPoints = minPoints;
    this.counts = counts;
  }

  /** The rules that are right; faults of the others are noted. */
  List<RewardRule> read(List<Entry<Integer, FormValue>> entries) {
    for (var entry : entries) {
      FormValue formValue = entry.value();
      RewardRule rule = formValue == null || !formValue.whole() ? null : rule(formValue);
      if (formValue != null && rule != null) {
        check(formValue, rule);
        rules.add(rule);
      }
    }
    return rules;
  }

  private @Nullable RewardRule rule(FormValue formValue) {
    List<Way> ways = Stream.of(Way.values()).filter(way -> formValue.has(way.field)).toList();
    if (ways.isEmpty()) {
      formValue
          .location()
          .fault("must have one of ranks, top, points, taking-part, or per and credits");
      return null;
    }
    if (ways.size() > 1) {
      formValue
          .location()
          .fault(
              "must have one of %s, not all of them: make a rule of each"
                  .formatted(words(", ", ways)));
      return null;
    }
    return fits(formValue, ways.get(0)) ? rule(formValue, ways.get(0)) : null;
  }

  private static String words(String between, List<Way> ways) {
    return ways.stream().map(Way::word).collect(Collectors.joining(between));
  }

  private @Nullable RewardRule rule(FormValue formValue, Way way) {
    return switch (way) {
      case RANKS -> PlaceRules.ranks(formValue, payoutContext);
      case TOP -> PlaceRules.top(formValue, payoutContext);
      case POINTS -> MemberRules.milestones(formValue, payoutContext, minPoints);
      case PER -> MemberRules.perAction(formValue, payoutContext);
      case TAKING_PART -> MemberRules.takingPart(formValue);
    };
  }

  private static boolean fits(FormValue formValue, Way way) {
    return fits(formValue, RewardForm.CREDITS, way, Way.PER)
        & fits(formValue, RewardForm.TIES, way, Way.RANKS, Way.TOP)
        & fits(formValue, RewardForm.REMAINDER, way, Way.RANKS, Way.TOP)
        & fits(formValue, RewardForm.OF, way, Way.TOP)
        & fits(formValue, RewardForm.ROUNDING, way, Way.TOP)
        & fits(formValue, RewardForm.GAPS, way, Way.RANKS);
  }

  private static boolean fits(FormValue formValue, Field<?> field, Way way, Way... ways) {
    if (!formValue.has(field) || List.of(ways).contains(way)) {
      return true;
    }
    formValue
        .spot(field)
        .fault(
            "goes only with %s, not with %s: take it out"
                .formatted(words(" or ", List.of(ways)), way.word()));
    return false;
  }

  private void check(FormValue formValue, RewardRule rule) {
    if (!names.add(rule.name())) {
      formValue
          .spot(RewardForm.RULE)
          .fault("is the name of a rule above: name it otherwise, not " + rule.name());
    }
    if (rule.currency().equals(counts)) {
      formValue
          .spot(RewardForm.CURRENCY)
          .fault(
              "must not be %s, which the board's points count: the prize would feed the board that"
                      .formatted(counts)
                  + " it is won on");
    }
    if (taker != null) {
      formValue
          .location()
          .fault(
              "can never pay: with match: first, '%s' above gives everybody something"
                  .formatted(taker));
    } else if (match == Match.FIRST && rule.paysEverybody()) {
      taker = rule.name();
    }
  }
}
