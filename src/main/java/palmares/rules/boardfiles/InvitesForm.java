package palmares.rules.boardfiles;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalar.choice;
import static palmares.platform.form.Scalar.name;

import java.util.List;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.form.FormValue;
import palmares.platform.form.SchemaNode.Entry;
import palmares.rules.board.Board.Durability;
import palmares.rules.board.Board.Invites;
import palmares.rules.board.Board.Invites.Policy;

/** Reads when a board acknowledges events, and how it counts registrations. */
final class InvitesForm {
  static final Field<Durability> DURABILITY =
      optional("durability", choice(Durability.values()), "fast");

  private static final Field<String> ACTION =
      required("action", name(new BoardFieldSentences.ActionName()));
  private static final Field<Policy> SELF = optional("self", choice(Policy.values()), "refuse");
  private static final Field<Policy> UNKNOWN_CODE =
      optional("unknown-code", choice(Policy.values()), "refuse");
  static final Field<Invites> INVITES =
      Field.<Invites>optional(
              "invites",
              new Form(new BoardFieldSentences.Invites(), List.of(ACTION, SELF, UNKNOWN_CODE))
                  .mapValid(
                      formValue ->
                          new Invites(
                              formValue.get(ACTION),
                              formValue.get(SELF),
                              formValue.get(UNKNOWN_CODE))))
          .onlyWith(DURABILITY, Durability.COMMITTED.word());

  private InvitesForm() {}

  /** Records the faults of invites that do not fit the board's actions and scoring. */
  static void check(FormValue file) {
    var invites = file.find(INVITES);
    var actions = file.find(Actions.ACTIONS);
    if (invites == null || actions == null) {
      return;
    }
    var scoring = file.find(Scales.SCORING);
    if (scoring != null && scoring.takesValues()) {
      file.fault(INVITES, new BoardFileSentences.InvitesWithValues());
    }
    var names = actions.stream().map(Entry::key).toList();
    if (!names.contains(invites.action())) {
      file.fault(
          INVITES,
          new BoardFileSentences.InvitesUnknownAction(
              names, invites.action(), DidYouMean.of(invites.action(), names)));
    }
  }
}
