package palmares.rules.catalogue;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalars.MOST;
import static palmares.platform.form.Scalars.name;
import static palmares.platform.form.Scalars.whole;

import java.math.BigDecimal;
import java.util.List;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.platform.form.NumberOrText;
import palmares.platform.form.SchemaNode;
import palmares.rules.board.Tier.Cut;
import palmares.rules.catalogue.payouts.Percent;

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

  static final Field<FormValue> FAMILY =
      optional(
          "family",
          new Form("a family", List.of(NAME, TIER, PROMOTE, RELEGATE)),
          "The family of boards that this one is a tier of: { name: league, tier: 2, promote: 3,"
              + " relegate: 10% }.");

  private FamilyForm() {}

  private static SchemaNode<Cut> cut() {
    return new NumberOrText<>(
        whole(1, MOST).into(members -> new Cut(BigDecimal.valueOf(members), false)),
        Percent.shape("a number of members, or a percentage")
            .into(percent -> new Cut(percent, true)));
  }
}
