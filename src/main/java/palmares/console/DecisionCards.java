package palmares.console;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;
import palmares.api.roles.Caller;
import palmares.console.VerbForm.Values;
import palmares.operations.amendment.DecisionFigures;
import palmares.operations.amendment.DecisionFigures.Figures;
import palmares.operations.amendment.RevisionDifferences;
import palmares.operations.report.PendingDecisions;
import palmares.operations.report.PendingDecisions.Award;
import palmares.operations.report.PendingDecisions.Total;
import palmares.operations.report.RevisionHistory;
import palmares.operations.report.RevisionHistory.RevisionSummary;
import palmares.operations.report.RunHistory;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.payout.RewardRule;
import palmares.settlement.outcome.PaymentSums.Sum;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.BudgetCheck.BudgetUse;
import palmares.settlement.reward.HeldTie;
import palmares.settlement.schedule.NightlyVerification;
import palmares.settlement.schedule.NightlyVerification.NightlyResult;

/** Reads all that a person who approves or rejects must know, and puts it on the form's page. */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class DecisionCards {
  /** Shown at once; the others open below them. */
  private static final int FIRST_ROWS = 10;

  /** More are in files only. */
  private static final int MAX_ROWS = 200;

  private final PendingDecisions decisions;
  private final DecisionFigures figures;
  private final RevisionHistory history;
  private final Revisions revisions;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final NightlyVerification nightly;
  private final RunHistory runs;

  DecisionCards(
      PendingDecisions decisions,
      DecisionFigures figures,
      RevisionHistory history,
      Revisions revisions,
      Periods periods,
      BoardDefinitions definitions,
      NightlyVerification nightly,
      RunHistory runs) {
    this.decisions = decisions;
    this.figures = figures;
    this.history = history;
    this.revisions = revisions;
    this.periods = periods;
    this.definitions = definitions;
    this.nightly = nightly;
    this.runs = runs;
  }

  /**
   * An outcome on which a person decides.
   *
   * @param reason why an amendment was made; null for a closing
   * @param totals what is signed, by currency
   * @param ties the ties that the person must decide
   * @param approvers who has approved it so far
   * @param refusal why the caller may not approve it; null if the caller may
   * @param changes the members whose result an amendment changes, the largest change first; null
   *     for a closing
   * @param awards the largest awards of a closing; empty for an amendment
   * @param isReconciled whether a run of the closing has compared the board with its journal
   * @param verified the last nightly verification; null if there was none
   */
  record Decision(
      Revision revision,
      @Nullable String reason,
      List<Total> totals,
      List<BudgetUse> budgets,
      List<HeldTie> ties,
      List<String> approvers,
      @Nullable Sentence refusal,
      @Nullable RevisionDifferences changes,
      List<Award> awards,
      boolean isReconciled,
      @Nullable NightlyResult verified) {

    public boolean isAmendment() {
      return revision.base() != null;
    }

    /** Whether an amendment moves a member between the tiers of a family. */
    public boolean hasTiers() {
      return changes != null
          && changes.first().stream()
              .anyMatch(change -> change.tierBefore() != null || change.tierAfter() != null);
    }

    /** The rows of the table that is shown at once. */
    public List<?> firstRows() {
      return rows().subList(0, Math.min(FIRST_ROWS, rows().size()));
    }

    /** The rows that open below it. */
    public List<?> otherRows() {
      return rows().subList(firstRows().size(), rows().size());
    }

    /** Whether only a file has all rows. */
    public boolean isCut() {
      return rows().size() == MAX_ROWS;
    }

    private List<?> rows() {
      return changes == null ? awards : changes.first();
    }

    Stake stake() {
      List<Sum> sums =
          totals.stream()
              .map(total -> new Sum(total.currency(), total.gets(), total.owes()))
              .toList();
      return isAmendment() ? Stake.amendment(sums, revision.owed()) : Stake.closing(sums);
    }
  }

  /**
   * Adds the outcome that a decision is about.
   *
   * @return its digest; null if it is decided already, or there is none
   */
  @Nullable String addOutcome(Values values, Model model) {
    Period period =
        periods
            .find(new BoardId(values.board()), new PeriodName(values.period()))
            .orElseThrow(); // the page has read it
    Integer number = values.integer("revision");
    Optional<Revision> found =
        number == null ? decisions.undecided(period.id()) : revisions.find(period.id(), number);
    Revision undecided = found.filter(Revision::awaitsDecision).orElse(null);
    model.addAttribute("isOver", undecided == null);
    if (undecided == null) {
      model.addAttribute(
          "former", found.or(() -> latest(period)).map(Revision::decision).orElse(null));
      return null;
    }
    Decision decision = of(period, undecided);
    model.addAttribute("decision", decision);
    model.addAttribute("isReranked", decisions.isReranked(period, undecided));
    model.addAttribute("hasTies", !decision.ties().isEmpty());
    if (decision.ties().isEmpty()) {
      model.addAttribute("stake", decision.stake());
    }
    return undecided.digest();
  }

  private Optional<Revision> latest(Period period) {
    List<Revision> all = revisions.of(period.id());
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
  }

  private Decision of(Period period, Revision revision) {
    Figures shown = figures.of(period, revision, MAX_ROWS);
    return new Decision(
        revision,
        history.of(period.board(), period.name(), revision.number() - 1L, 1).stream()
            .findFirst()
            .map(RevisionSummary::reason)
            .orElse(null),
        shown.totals(),
        decisions.budgets(period, revision, shown.costs()),
        decisions.ties(period, revision),
        decisions.approvers(revision),
        decisions.refusal(revision, Caller.get().name()).orElse(null),
        shown.changes(),
        shown.awards(),
        revision.base() == null && isReconciled(period),
        nightly.last().orElse(null));
  }

  /** The step that fills an outcome ends by comparing it with the journal, if there is one. */
  private boolean isReconciled(Period period) {
    return runs.hasDone(period.id(), "fill") && definitions.of(period).kind().countsEvents();
  }

  /** Adds whether an amendment needs a person's decision on ties, by the rules of its period. */
  @Nullable String addTies(Values values, Model model) {
    boolean holds =
        definitions
            .find(new BoardId(values.board()), new PeriodName(values.period()))
            .map(rules -> rules.payout().rules())
            .orElse(List.of())
            .stream()
            .anyMatch(RewardRule::holdsTies);
    model.addAttribute("hasTies", holds || values.find("rules") != null);
    return null;
  }
}
