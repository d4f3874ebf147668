package palmares.rules.catalogue;

import static palmares.rules.catalogue.BoardDescription.text;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Fault;
import palmares.platform.form.FormValue;
import palmares.rules.board.Board;
import palmares.rules.board.Tier;
import palmares.rules.board.Tier.Cut;

/** Makes a board one tier of a family, and checks that the boards of a family go together. */
final class Families {
  private static final BigDecimal ALL = BigDecimal.valueOf(100);

  private Families() {}

  /** Null if the board is of no family, or if anything is wrong with it, which is then noted. */
  static @Nullable Tier read(FormValue board) {
    FormValue family = board.find(BoardForm.FAMILY);
    if (family == null || !family.whole()) {
      return null;
    }
    Tier tier =
        new Tier(
            family.get(FamilyForm.NAME),
            family.get(FamilyForm.TIER).intValue(),
            family.find(FamilyForm.PROMOTE),
            family.find(FamilyForm.RELEGATE));
    if (tier.number() == 1 && tier.promote() != null) {
      family
          .spot(FamilyForm.PROMOTE)
          .fault("leads nowhere: there is no tier above the first; take it out");
    }
    if (percent(tier.promote()).add(percent(tier.relegate())).compareTo(ALL) > 0) {
      family
          .spot(FamilyForm.RELEGATE)
          .fault(
              "and promote are %s and %s of the members: some would go both ways"
                  .formatted(tier.relegate(), tier.promote()));
    }
    return tier;
  }

  private static BigDecimal percent(@Nullable Cut cut) {
    return cut != null && cut.percent() ? cut.amount() : BigDecimal.ZERO;
  }

  /** Tiers that are missing or there twice, and boards whose members could not move. */
  static void check(List<Board> boards, List<Fault> faults) {
    var families = new TreeMap<String, List<Board>>();
    for (Board board : boards) {
      if (board.tier() != null) {
        families.computeIfAbsent(board.tier().family(), name -> new ArrayList<>()).add(board);
      }
    }
    families.values().forEach(family -> checkOne(family, faults));
  }

  private static void checkOne(List<Board> family, List<Fault> faults) {
    family.sort(Comparator.comparing(board -> tier(board).number()));
    Board above = null;
    for (Board board : family) {
      Tier tier = tier(board);
      if (above != null && tier(above).number() == tier.number()) {
        fault(
            board,
            "tier",
            "is %d, as that of %s: each has its own".formatted(tier.number(), above.id()),
            faults);
      } else if (tier.number() != (above == null ? 1 : tier(above).number() + 1)) {
        fault(
            board,
            "tier",
            "is %d, and the family %s has none of tier %d: count from 1, and leave none out"
                .formatted(tier.number(), tier.family(), tier.number() - 1),
            faults);
      } else if (above != null && !sameTimes(above, board)) {
        fault(
            board,
            "name",
            "is %s, as that of %s, but their periods differ: tiers have one period and zone"
                .formatted(tier.family(), above.id()),
            faults);
      }
      above = board;
    }
    if (above != null && tier(above).relegate() != null) {
      fault(
          above,
          "relegate",
          "leads nowhere: there is no tier below %d; take it out".formatted(tier(above).number()),
          faults);
    }
  }

  private static boolean sameTimes(Board one, Board other) {
    return one.calendar().equals(other.calendar()) && one.zone().equals(other.zone());
  }

  private static void fault(Board board, String field, String message, List<Fault> faults) {
    faults.add(new Fault(board.id() + BoardFiles.ENDING, 0, "family." + field, message));
  }

  private static Tier tier(Board board) {
    Tier tier = board.tier();
    if (tier == null) {
      throw new IllegalArgumentException(board.id() + " is of no family");
    }
    return tier;
  }

  /** As people read it on a terminal. */
  static String sheet(Tier tier) {
    return text(
        "%s, tier %d%s%s",
        tier.family(),
        tier.number(),
        tier.promote() == null ? "" : text("; %s go up", tier.promote()),
        tier.relegate() == null ? "" : text("; %s go down", tier.relegate()));
  }
}
