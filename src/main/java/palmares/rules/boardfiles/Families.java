package palmares.rules.boardfiles;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalar.MAX_SAFE_INTEGER;
import static palmares.platform.form.Scalar.name;
import static palmares.platform.form.Scalar.whole;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Faults.Fault;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.platform.form.SchemaNode;
import palmares.platform.form.SchemaNode.OneOf;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.Tier;
import palmares.rules.board.Tier.Cut;

/** Reads a board's tier in a family, and checks that the tiers of each family fit together. */
final class Families {
  static final Field<String> NAME = required("name", name(new BoardFieldSentences.FamilyName()));
  static final Field<Long> TIER = required("tier", whole(1, 1000));
  static final Field<Cut> PROMOTE = optional("promote", cut());
  static final Field<Cut> RELEGATE = optional("relegate", cut());

  static final Field<FormValue> FAMILY =
      optional(
          "family",
          new Form(new BoardFieldSentences.Family(), List.of(NAME, TIER, PROMOTE, RELEGATE)));

  private static SchemaNode<Cut> cut() {
    return OneOf.numberOrText(
        whole(1, MAX_SAFE_INTEGER).map(members -> new Cut(BigDecimal.valueOf(members), false)),
        Percent.scalar(new BoardFieldSentences.Cut()).map(percent -> new Cut(percent, true)));
  }

  private static final BigDecimal HUNDRED_PERCENT = BigDecimal.valueOf(100);

  /** Reads the tier; null if the board is in no family or the family is invalid. */
  static @Nullable Tier read(FormValue board) {
    FormValue family = board.find(BoardForm.FAMILY);
    if (family == null || !family.isValid()) {
      return null;
    }
    Tier tier =
        new Tier(
            family.get(NAME),
            family.get(TIER).intValue(),
            family.find(PROMOTE),
            family.find(RELEGATE));
    if (tier.number() == 1 && tier.promote() != null) {
      family.fault(PROMOTE, new BoardFileSentences.PromotesFromFirst());
    }
    if (percent(tier.promote()).add(percent(tier.relegate())).compareTo(HUNDRED_PERCENT) > 0) {
      family.fault(
          RELEGATE,
          new BoardFileSentences.MovesMoreThanAll(
              String.valueOf(tier.relegate()), String.valueOf(tier.promote())));
    }
    return tier;
  }

  private static BigDecimal percent(@Nullable Cut cut) {
    return cut != null && cut.percent() ? cut.amount() : BigDecimal.ZERO;
  }

  /**
   * Checks all families: tiers without gaps and duplicates, and the same periods in all of them.
   */
  static void check(List<Board> boards, List<Fault> faults) {
    var families = new TreeMap<String, List<Board>>();
    for (Board board : boards) {
      if (board.tier() != null) {
        families.computeIfAbsent(board.tier().family(), name -> new ArrayList<>()).add(board);
      }
    }
    families.values().forEach(family -> checkFamily(family, faults));
  }

  private static void checkFamily(List<Board> family, List<Fault> faults) {
    family.sort(Comparator.comparing(board -> tier(board).number()));
    Board above = null;
    for (Board board : family) {
      Tier tier = tier(board);
      if (above != null && tier(above).number() == tier.number()) {
        fault(
            board,
            "tier",
            new BoardFileSentences.TierTwice(tier.number(), above.id().value()),
            faults);
      } else if (tier.number() != (above == null ? 1 : tier(above).number() + 1)) {
        fault(
            board,
            "tier",
            new BoardFileSentences.TierMissing(tier.number(), tier.family(), tier.number() - 1),
            faults);
      } else if (above != null && !havePeriodsInCommon(above, board)) {
        fault(
            board,
            "name",
            new BoardFileSentences.PeriodsDiffer(tier.family(), above.id().value()),
            faults);
      }
      above = board;
    }
    if (above != null && tier(above).relegate() != null) {
      fault(
          above,
          "relegate",
          new BoardFileSentences.RelegatesFromLast(tier(above).number()),
          faults);
    }
  }

  private static boolean havePeriodsInCommon(Board one, Board other) {
    return one.calendar().equals(other.calendar()) && one.zone().equals(other.zone());
  }

  private static void fault(Board board, String field, Sentence said, List<Fault> faults) {
    faults.add(new Fault(board.id() + BoardFiles.EXTENSION, 0, "family." + field, said));
  }

  private static Tier tier(Board board) {
    Tier tier = board.tier();
    if (tier == null) {
      throw new IllegalArgumentException(board.id() + " is in no family");
    }
    return tier;
  }
}
