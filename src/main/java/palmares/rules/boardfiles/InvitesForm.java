package palmares.rules.boardfiles;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalar.choice;
import static palmares.platform.form.Scalar.name;

import java.util.List;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.platform.form.SchemaNode.Entry;
import palmares.platform.form.Suggestion;
import palmares.rules.board.Board.Durability;
import palmares.rules.board.Board.Invites;
import palmares.rules.board.Board.Invites.Policy;

/** Reads when a board acknowledges events, and how it counts registrations. */
final class InvitesForm {
  static final Field<Durability> DURABILITY =
      optional(
          "durability",
          choice(Durability.values()),
          "fast",
          "When an event is acknowledged: fast when Redis has applied it, committed when PostgreSQL"
              + " has it, from where it is relayed to Redis until it is applied.");

  private static final Field<String> ACTION =
      required(
          "action",
          name("an action's name"),
          "The action that a registration brings its inviter, on every board that counts it.");
  private static final Field<Policy> SELF =
      optional(
          "self",
          choice(Policy.values()),
          "refuse",
          "What becomes of a registration with the member's own code: refuse, or ignore it.");
  private static final Field<Policy> UNKNOWN_CODE =
      optional(
          "unknown-code",
          choice(Policy.values()),
          "refuse",
          "What becomes of a registration with a code that nobody has: refuse, or ignore it.");
  static final Field<Invites> INVITES =
      Field.<Invites>optional(
              "invites",
              new Form("invites", List.of(ACTION, SELF, UNKNOWN_CODE))
                  .mapValid(
                      formValue ->
                          new Invites(
                              formValue.get(ACTION),
                              formValue.get(SELF),
                              formValue.get(UNKNOWN_CODE))),
              "That registrations count here, for their inviters.")
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
      file.fault(INVITES, "is allowed only where points add up: a registration carries no value");
    }
    var names = actions.stream().map(Entry::key).toList();
    if (!names.contains(invites.action())) {
      file.fault(
          INVITES,
          "must name one of the board's actions (%s), not '%s'%s",
          String.join(", ", names),
          invites.action(),
          Suggestion.hint(invites.action(), names));
    }
  }
}
