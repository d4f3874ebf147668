package palmares.rules.boardfiles;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalar.MAX_SAFE_INTEGER;
import static palmares.platform.form.Scalar.choice;
import static palmares.platform.form.Scalar.name;
import static palmares.platform.form.Scalar.text;
import static palmares.platform.form.Scalar.whole;
import static palmares.rules.board.BoardId.parse;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Faults.Fault;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.form.FormValue;
import palmares.platform.form.SchemaNode.Entry;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.Board.Durability;
import palmares.rules.board.Board.Invites;
import palmares.rules.board.Board.Invites.CountedIn;
import palmares.rules.board.Board.Invites.Policy;
import palmares.rules.board.Board.Invites.Qualification;
import palmares.rules.board.Board.Invites.Review;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Actions.ActionPoints;

/** Reads when a board acknowledges events, and how it counts registrations. */
final class InvitesForm {
  private static final String DEFAULT_TIME = "7d";

  static final Field<Durability> DURABILITY =
      optional("durability", choice(Durability.values()), "fast");

  private static final Field<String> ACTION =
      required("action", name(new BoardFieldSentences.ActionName()));
  private static final Field<Policy> SELF = optional("self", choice(Policy.values()), "refuse");
  private static final Field<Policy> UNKNOWN_CODE =
      optional("unknown-code", choice(Policy.values()), "refuse");

  private static final Field<String> DONE =
      required("action", name(new BoardFieldSentences.ActionName()));
  private static final Field<BoardId> BOARD =
      optional(
          "board",
          text(new BoardFieldSentences.BoardName(), BoardId.REGEX, id -> parse(id).orElse(null)));
  private static final Field<Duration> WITHIN =
      optional("within", DurationText.days(), DEFAULT_TIME);
  private static final Field<Long> AT_LEAST = optional("at-least", whole(1, MAX_SAFE_INTEGER), 1L);
  private static final Field<FormValue> QUALIFIES =
      optional(
          "qualifies",
          new Form(new BoardFieldSentences.Qualifies(), List.of(DONE, BOARD, WITHIN, AT_LEAST)));
  private static final Field<CountedIn> COUNTED_IN =
      optional("counted-in", choice(CountedIn.values()), "qualifying")
          .onlyWith(QUALIFIES, Field.GROUP);

  /** A group is of two at least. */
  private static final long MIN_FLAGGED = 2;

  private static final long MAX_FLAGGED = 1_000_000;

  private static final Field<Long> CHAIN = optional("chain", whole(MIN_FLAGGED, MAX_FLAGGED));
  private static final Field<Long> SAME_ADDRESS =
      optional("same-address", whole(MIN_FLAGGED, MAX_FLAGGED));
  private static final Field<Long> SAME_DEVICE =
      optional("same-device", whole(MIN_FLAGGED, MAX_FLAGGED));
  private static final Field<FormValue> REVIEW =
      optional(
          "review",
          new Form(new BoardFieldSentences.Review(), List.of(CHAIN, SAME_ADDRESS, SAME_DEVICE)));

  static final Field<Invites> INVITES =
      Field.<Invites>optional(
              "invites",
              new Form(
                      new BoardFieldSentences.Invites(),
                      List.of(ACTION, SELF, UNKNOWN_CODE, QUALIFIES, COUNTED_IN, REVIEW))
                  .mapValid(
                      formValue ->
                          new Invites(
                              formValue.get(ACTION),
                              formValue.get(SELF),
                              formValue.get(UNKNOWN_CODE),
                              qualification(formValue),
                              review(formValue))))
          .onlyWith(DURABILITY, Durability.COMMITTED.word());

  private InvitesForm() {}

  private static @Nullable Qualification qualification(FormValue invites) {
    FormValue qualifies = invites.find(QUALIFIES);
    if (qualifies == null) {
      if (invites.has(COUNTED_IN)) {
        invites.fault(COUNTED_IN, new BoardFileSentences.CountedInWithoutQualifies());
      }
      return null;
    }
    return new Qualification(
        qualifies.find(BOARD),
        qualifies.get(DONE),
        qualifies.get(WITHIN),
        qualifies.get(AT_LEAST),
        invites.get(COUNTED_IN));
  }

  private static @Nullable Review review(FormValue invites) {
    FormValue review = invites.find(REVIEW);
    if (review == null) {
      return null;
    }
    var limits =
        new Review(review.find(CHAIN), review.find(SAME_ADDRESS), review.find(SAME_DEVICE));
    if (limits.equals(new Review(null, null, null))) {
      invites.fault(REVIEW, new BoardFileSentences.ReviewsNothing());
    }
    return limits;
  }

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
    } else if (invites.qualification() != null) {
      checkQualification(file, invites, invites.qualification(), actions);
    }
  }

  private static void checkQualification(
      FormValue file,
      Invites invites,
      Qualification qualification,
      List<Entry<String, ActionPoints>> actions) {
    for (var entry : actions) {
      ActionPoints action = entry.value();
      if (action != null && entry.key().equals(invites.action()) && !action.undo()) {
        file.fault(INVITES, new BoardFileSentences.InvitesWithoutUndo(invites.action()));
      }
    }
    boolean isOwn = qualification.board() == null;
    if (isOwn && qualification.action().equals(invites.action())) {
      file.fault(INVITES, new BoardFileSentences.QualifiesByCredit(invites.action()));
    } else if (isOwn) {
      var names = actions.stream().map(Entry::key).toList();
      if (!names.contains(qualification.action())) {
        file.fault(INVITES, unknownAction(qualification.action(), names));
      }
    }
  }

  private static BoardFileSentences.QualifiesUnknownAction unknownAction(
      String action, List<String> names) {
    return new BoardFileSentences.QualifiesUnknownAction(
        names, action, DidYouMean.of(action, names));
  }

  /** Checks that the boards exist on which invites qualify, and count the actions. */
  static void check(List<Board> boards, List<Fault> faults) {
    for (Board board : boards) {
      Invites invites = board.invites();
      Qualification qualification = invites == null ? null : invites.qualification();
      if (qualification != null && qualification.board() != null) {
        fault(qualification.board(), qualification.action(), boards)
            .ifPresent(
                said ->
                    faults.add(
                        new Fault(
                            board.id() + BoardFiles.EXTENSION, 0, "invites.qualifies", said)));
      }
    }
  }

  private static Optional<Sentence> fault(BoardId other, String action, List<Board> boards) {
    Board found = boards.stream().filter(board -> board.id().equals(other)).findAny().orElse(null);
    if (found == null) {
      var names = boards.stream().map(board -> board.id().value()).sorted().toList();
      return Optional.of(
          new BoardFileSentences.QualifiesOnUnknownBoard(
              names, other.value(), DidYouMean.of(other.value(), names)));
    }
    var names = List.copyOf(found.actions().keySet());
    return names.contains(action) ? Optional.empty() : Optional.of(unknownAction(action, names));
  }
}
