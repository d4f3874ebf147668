package palmares.catalogue;

import static palmares.form.Field.optional;
import static palmares.form.Field.required;
import static palmares.form.Scalars.MOST;
import static palmares.form.Scalars.name;
import static palmares.form.Scalars.whole;

import java.math.BigDecimal;
import java.util.List;
import palmares.board.Tier.Cut;
import palmares.catalogue.payouts.Percent;
import palmares.form.ByKind;
import palmares.form.Field;
import palmares.form.Filled;
import palmares.form.Form;
import palmares.form.Shape;

/** The fields that make a board one tier of a family. */
final class FamilyForm {
  static final Field<String> NAME =
      required("name", name("a family's name"), "What the boards of the family share.");
  static final Field<Long> TIER =
      required("tier", whole(1, 1000), "Its tier: 1 is the top, 2 below it, and so on.");
  static final Field<Cut> PROMOTE =
      optional(
          "promote", cut(), "How many go up when a period is settled: 3, or 10% of the ranked.");
  static final Field<Cut> RELEGATE =
      optional("relegate", cut(), "How many go down: 3, or 10% of the ranked.");

  static final Field<Filled> FAMILY =
      optional(
          "family",
          new Form("a family", List.of(NAME, TIER, PROMOTE, RELEGATE)),
          "The family of boards that this one is a tier of: { name: league, tier: 2, promote: 3,"
              + " relegate: 10% }.");

  private FamilyForm() {}

  private static Shape<Cut> cut() {
    return new ByKind<>(
        whole(1, MOST).into(members -> new Cut(BigDecimal.valueOf(members), false)),
        Percent.shape("a number of members, or a percentage")
            .into(percent -> new Cut(percent, true)));
  }
}
