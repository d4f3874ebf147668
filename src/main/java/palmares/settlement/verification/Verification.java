package palmares.settlement.verification;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.BoardDefinitions;
import palmares.period.BoardDefinitions.UnreadableDefinition;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.platform.sql.RecordMapper;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.Board.Durability;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.manifest.Anchors.Copy;
import palmares.settlement.manifest.ChainLink;
import palmares.settlement.outcome.Revision;
import palmares.settlement.verification.DifferenceSentences.Definition;
import palmares.settlement.verification.DifferenceSentences.Rules;
import palmares.settlement.verification.VerificationBatch.Span;
import palmares.settlement.verification.VerificationScope.Outcome;

/**
 * Derives what settled periods must hold from journal, exclusions and rules, and compares it with
 * what is stored. Changes nothing.
 */
@Component
public class Verification {
  private static final int MAX_PERIODS_PER_BATCH = 500;

  /** Up to this size, planning a period's statements takes longer than running them. */
  private static final int MAX_LINES_FOR_KEPT_PLANS = 1_000;

  private static final String FLAGS = "select from flagged_line where period_id = any(:ids)";
  private static final String WITHHELD =
      "select from withheld_award where outcome = any(:outcomes)";

  private final JdbcClient jdbc;
  private final BoardDefinitions definitions;
  private final ManifestVerification manifests;
  private final VerificationScope scope;
  private final TierFamily tierFamily;
  private final AnchorVerification anchorVerification;
  private final SharedSnapshot snapshot;
  private final TransactionTemplate asOfOneInstant;
  private final TransactionTemplate joining;

  Verification(
      JdbcClient jdbc,
      BoardDefinitions definitions,
      ManifestVerification manifests,
      VerificationScope scope,
      TierFamily tierFamily,
      AnchorVerification anchorVerification,
      SharedSnapshot snapshot,
      PlatformTransactionManager transactions) {
    this.jdbc = jdbc;
    this.definitions = definitions;
    this.manifests = manifests;
    this.scope = scope;
    this.tierFamily = tierFamily;
    this.anchorVerification = anchorVerification;
    this.snapshot = snapshot;
    this.asOfOneInstant = new TransactionTemplate(transactions);
    asOfOneInstant.setReadOnly(true);
    asOfOneInstant.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    asOfOneInstant.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    this.joining = new TransactionTemplate(transactions);
    joining.setReadOnly(true);
    joining.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
  }

  /**
   * Verifies settled periods, as of one instant. If no board is given, also verifies what belongs
   * to no settled period.
   *
   * @param board only this board's periods; null for all
   * @param period only the period of that name; null for all
   */
  public Findings verifySettled(@Nullable BoardId board, @Nullable PeriodName period) {
    return verifySettled(board, period, List.of());
  }

  /**
   * As {@link #verifySettled(BoardId, PeriodName)}, and compares links that the caller kept.
   *
   * @param kept links of any chain
   */
  public Findings verifySettled(
      @Nullable BoardId board, @Nullable PeriodName period, List<ChainLink> kept) {
    Copy copy = board == null ? anchorVerification.copy() : null;
    var findings = new Findings();
    joining.executeWithoutResult(
        status -> {
          findings.addAll(verify(scope.settled(board, period)));
          if (copy != null) {
            verifyWhole(findings, copy);
          }
          anchorVerification.compare(findings, kept);
        });
    return findings;
  }

  /**
   * Verifies the periods that were settled or amended from a time on and what belongs to no settled
   * period, as of one instant, and then the payments of a share of all posted outcomes. Reads in
   * new transactions, none of which is longer than what it verifies, so that vacuum can go on.
   *
   * @param night the day whose share of the posted outcomes is verified
   * @param nights the number of nights up to that one whose shares are verified; {@link
   *     VerificationScope#SHARES} or more for all outcomes
   */
  public Findings verifySince(Instant since, LocalDate night, long nights) {
    var findings = new Findings();
    Copy copy = anchorVerification.copy();
    asOfOneInstant.executeWithoutResult(
        status -> {
          findings.addAll(verify(scope.settledSince(since)));
          verifyWhole(findings, copy);
        });
    for (List<Integer> outcomes : scope.posted(night, nights)) {
      asOfOneInstant.executeWithoutResult(status -> verifyPayments(findings, outcomes));
    }
    return findings;
  }

  /**
   * Verifies the payments of posted outcomes by their number and checksum, and the sums of their
   * manifests.
   */
  void verifyPayments(Findings findings, List<Integer> outcomes) {
    setLocal("plan_cache_mode", "force_custom_plan");
    Map<String, Object> parameters = Map.of("outcomes", outcomes);
    compare(findings, Check.PAYMENTS_FROM_MANIFESTS, parameters, Map.of());
    compare(findings, Check.MANIFEST_SUMS, parameters, Map.of());
  }

  /** Verifies what belongs to no settled period. */
  private void verifyWhole(Findings findings, Copy copy) {
    Map<Long, String> labels = scope.unsettled();
    Map<String, Object> parameters = Map.of("ids", labels.keySet());
    compare(findings, Check.UNSETTLED_PERIODS, parameters, labels);
    compare(findings, Check.EXCLUSIONS_FROM_AUDIT_LOG, Map.of(), Map.of());
    compare(findings, Check.IMPORTS_FROM_AUDIT_LOG, Map.of(), Map.of());
    compare(findings, Check.AUDIT_LOG_CHAIN, Map.of(), Map.of());
    compare(findings, Check.DEFINITIONS, Map.of(), Map.of());
    for (String table : Check.TABLES_OF_PERIODS) {
      compare(findings, Check.ROWS_OF_NO_PERIOD.sql(table), Map.of(), Map.of());
    }
    for (String table : Check.TABLES_OF_OUTCOMES) {
      compare(findings, Check.ROWS_OF_NO_OUTCOME.sql(table), Map.of(), Map.of());
    }
    verifyTablesOfNoOutcome(findings);
    compare(findings, Check.MANIFEST_CHAIN, Map.of(), Map.of());
    anchorVerification.compare(findings, copy);
  }

  /** Reads the catalogue once, which takes long if there are many big periods. */
  private void verifyTablesOfNoOutcome(Findings findings) {
    Map<Boolean, List<String>> tables =
        jdbc.sql("select is_empty, own from tables_of_no_outcome()")
            .query(RecordMapper.lists(Boolean.class, String.class));
    List<String> filled = tables.getOrDefault(false, List.of());
    compare(findings, Check.TABLES_OF_NO_OUTCOME, Map.of("filled", filled), Map.of());
    List<String> empty = tables.getOrDefault(true, List.of());
    if (!empty.isEmpty()) {
      findings.note(new VerificationSentences.EmptyTables(empty));
    }
  }

  /** Verifies these periods, which must be settled. */
  @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
  public Findings verify(Collection<PeriodId> ids) {
    var findings = new Findings();
    // A generic plan would read the tables of all periods.
    setLocal("plan_cache_mode", "force_custom_plan");
    byDefinition(ids).values().forEach(sameRules -> verifyByDefinition(findings, sameRules));
    return findings;
  }

  /** A board's rules. Two boards whose files have the same text are still different boards. */
  private record Rulebook(BoardId board, String hash) {}

  private Map<Rulebook, Map<Long, Period>> byDefinition(Collection<PeriodId> ids) {
    var groups = new LinkedHashMap<Rulebook, Map<Long, Period>>();
    for (Period period : scope.periods(ids)) {
      groups
          .computeIfAbsent(
              new Rulebook(period.board(), period.definitionHash()), key -> new LinkedHashMap<>())
          .put(period.id().value(), period);
    }
    return groups;
  }

  /** Verifies a period with own tables alone, the others in batches. */
  private void verifyByDefinition(Findings findings, Map<Long, Period> sameRules) {
    List<Outcome> outcomes = scope.outcomes(sameRules.keySet());
    var withOwnTables = new LinkedHashSet<Long>();
    outcomes.stream().filter(Outcome::hasOwnTables).forEach(o -> withOwnTables.add(o.periodId()));
    var inSharedTables = new ArrayList<Period>();
    for (Period period : sameRules.values()) {
      if (withOwnTables.contains(period.id().value())) {
        verifyBig(findings, period, outcomes);
      } else {
        inSharedTables.add(period);
      }
    }
    for (int i = 0; i < inSharedTables.size(); i += MAX_PERIODS_PER_BATCH) {
      int end = Math.min(i + MAX_PERIODS_PER_BATCH, inSharedTables.size());
      verifyTogether(findings, inSharedTables.subList(i, end), outcomes);
    }
  }

  /**
   * Verifies a period with own tables by parts in parallel, those that take longest first, so that
   * no core is idle while the last one runs.
   */
  private void verifyBig(Findings findings, Period period, List<Outcome> outcomes) {
    VerificationBatch batch = batch(findings, List.of(period), outcomes);
    if (batch != null) {
      findings.count(counts(batch));
      List<BiConsumer<Findings, VerificationBatch>> parts =
          List.of(
              this::verifyManifests,
              this::verifyLines,
              this::verifyPayments,
              this::verifyRevisions,
              this::verifyJournal,
              this::verifyDecisions);
      var found = parts.stream().map(part -> new Findings()).toList();
      snapshot.run(
          IntStream.range(0, parts.size())
              .<Runnable>mapToObj(
                  i ->
                      () -> {
                        allowMemory();
                        parts.get(i).accept(found.get(i), batch);
                      })
              .toList());
      // A difference in the journal explains those in lines, payments and manifests.
      for (int i = parts.size() - 1; i >= 0; i--) {
        findings.addAll(found.get(i));
      }
    }
  }

  /**
   * For the sums of millions of members, which may take twice as much; more than this goes to disk.
   * Of the parts that run at a time, one has such sums. Each join that names what differs takes as
   * much again.
   */
  private void allowMemory() {
    setLocal("work_mem", "128MB");
  }

  private void verifyTogether(Findings findings, List<Period> sameRules, List<Outcome> outcomes) {
    VerificationBatch batch = batch(findings, sameRules, outcomes);
    if (batch == null) {
      return;
    }
    Findings.Counts counts = counts(batch);
    boolean keepPlans =
        counts.periods() == 1
            && counts.lines() <= MAX_LINES_FOR_KEPT_PLANS
            && !batch.hasOwnTables();
    if (keepPlans) {
      setLocal("plan_cache_mode", "force_generic_plan");
    }
    findings.count(counts);
    verifyJournal(findings, batch);
    verifyLines(findings, batch);
    verifyDecisions(findings, batch);
    verifyRevisions(findings, batch);
    verifyPayments(findings, batch);
    verifyManifests(findings, batch);
    if (keepPlans) {
      setLocal("plan_cache_mode", "force_custom_plan");
    }
  }

  /** As counted when the rows were written; {@link ManifestVerification} counts them again. */
  private Findings.Counts counts(VerificationBatch batch) {
    return jdbc.sql(
            """
            select
              cardinality(:ids::bigint[]) as periods,
              coalesce(sum(lines), 0)::bigint as lines,
              coalesce(sum(payments), 0)::bigint as payments
            from revision
            where period_id = any(:ids) and posted_at is not null
            """)
        .param("ids", batch.ids())
        .query(Findings.Counts.class)
        .single();
  }

  /** Null if their rules are unreadable, which is a finding for each of the periods. */
  private @Nullable VerificationBatch batch(
      Findings findings, List<Period> sameRules, List<Outcome> outcomes) {
    var labels = new LinkedHashMap<Long, String>();
    sameRules.forEach(period -> labels.put(period.id().value(), period.label()));
    Period first = sameRules.get(0);
    Board board = definition(findings, labels, first.board(), first.definitionHash());
    return board == null
        ? null
        : new VerificationBatch(board, labels, outcomes, Span.of(board, sameRules)).of(labels);
  }

  private void verifyDecisions(Findings findings, VerificationBatch batch) {
    Map<Long, String> labels = batch.labels();
    Map<String, Object> parameters = batch.parameters();
    compare(findings, Check.ACKNOWLEDGED_LOSSES, parameters, labels);
    compare(findings, Check.POSTED_REVISIONS, parameters, labels);
    compare(findings, Check.APPROVALS_FROM_RULES, parameters, labels);
    compare(findings, Check.HOLDS_FROM_AUDIT_LOG, parameters, labels);
    compare(findings, Check.LATE_EVENTS_FROM_AUDIT_LOG, parameters, labels);
    compare(findings, Check.QUARANTINE_FROM_AUDIT_LOG, parameters, labels);
    compare(findings, Check.LINE_DECISIONS_FROM_AUDIT_LOG, parameters, labels);
    compare(findings, Check.ARCHIVED_PERIODS, parameters, labels);
  }

  /** Verifies lines and rules of the posted revisions. */
  private void verifyRevisions(Findings findings, VerificationBatch batch) {
    batch.posted().forEach((kind, labels) -> verifyRevision(findings, kind, batch.of(labels)));
  }

  /** Verifies payments of revisions with readable rules; {@link #verifyRevisions} names others. */
  private void verifyPayments(Findings findings, VerificationBatch all) {
    all.posted()
        .forEach(
            (kind, labels) -> {
              Board board = definition(new Findings(), labels, kind.board(), kind.definitionHash());
              if (board != null) {
                verifyPayments(findings, kind, all.of(labels), board);
              }
            });
  }

  private void verifyPayments(
      Findings findings, VerificationBatch.Kind kind, VerificationBatch batch, Board board) {
    if (RuleParameters.of(board).countActions()) {
      VerificationBatch withJournal = batch.of(scope.withJournal(batch.labels()));
      verifyPayments(findings, kind, withJournal, board, false);
      verifyPayments(findings, kind, batch.without(withJournal.labels()), board, true);
    } else {
      verifyPayments(findings, kind, batch, board, false);
    }
  }

  private void verifyJournal(Findings findings, VerificationBatch all) {
    VerificationBatch batch = all.of(scope.withJournal(all.labels()));
    findings.skipJournals(all.labels().size() - batch.labels().size());
    Map<Long, String> labels = batch.labels();
    Map<String, Object> parameters = batch.parameters();
    Board board = batch.board();
    if (!all.hasClosingAlone()) { // verifyManifests compares that, because it counts the rows
      compare(findings, Check.POPULATION, all.parameters(), all.labels());
    }
    compare(findings, Check.DRAINED_EVENTS, all.parameters(), all.labels());
    compare(findings, Check.JOURNAL_FROM_COMMITS, parameters, labels);
    if (board.durability() == Durability.COMMITTED) {
      compare(findings, Check.UNCOMMITTED_EVENTS, parameters, labels);
    }
    compare(findings, Check.EVENTS_FROM_ACTIONS, parameters, labels);
    setLocal("jit", "off"); // compiling that statement takes longer than running it
    compare(findings, Check.DECISIONS_FROM_RULES, parameters, labels);
    jdbc.sql("set local jit to default").update();
    Map<String, Object> qualification = RuleParameters.ofQualification(board);
    if (!qualification.isEmpty()) {
      parameters.putAll(qualification);
      compare(findings, Check.CREDITS_FROM_QUALIFICATIONS, parameters, labels);
    }
    if (RuleParameters.haveReview(board) || exists(FLAGS, parameters)) {
      parameters.putAll(RuleParameters.ofReview(board));
      compare(findings, Check.FLAGGED_LINES, parameters, labels);
    }
    compare(findings, Check.CORRECTIONS_FROM_LATE_EVENTS, parameters, labels);
    compare(findings, Check.LINES_FROM_CORRECTIONS, parameters, labels);
  }

  /** Verifies the lines of the closings. */
  private void verifyLines(Findings findings, VerificationBatch all) {
    VerificationBatch batch = all.of(scope.withJournal(all.labels()));
    Map<Long, String> labels = batch.labels();
    Map<String, Object> parameters = batch.parameters();
    batch
        .board()
        .kind()
        .run(
            () ->
                planning(
                    batch, () -> compare(findings, Check.LINES_FROM_JOURNAL, parameters, labels)),
            adoption -> {
              parameters.put("storesTime", adoption.encoding().storesTime());
              parameters.put("exactPoints", adoption.encoding().exactPoints());
              compare(findings, Check.ORDER_LOSSES_FROM_LINES, parameters, labels);
            });
  }

  /**
   * Runs a comparison of millions of members, if the batch has own tables. The planner expects few
   * sums of events: it would look up or sort millions, and let each of several workers add up all.
   */
  private void planning(VerificationBatch batch, Runnable comparison) {
    if (!batch.hasOwnTables()) {
      comparison.run();
      return;
    }
    setLocal("enable_nestloop", "off");
    setLocal("enable_mergejoin", "off");
    setLocal("max_parallel_workers_per_gather", "0");
    comparison.run();
    setLocal("enable_nestloop", "on");
    setLocal("enable_mergejoin", "on");
    jdbc.sql("set local max_parallel_workers_per_gather to default").update();
  }

  private void verifyRevision(
      Findings findings, VerificationBatch.Kind kind, VerificationBatch batch) {
    Map<Long, String> labels = batch.labels();
    Board board = definition(findings, labels, kind.board(), kind.definitionHash());
    if (board == null) {
      return;
    }
    boolean closing = kind.number() == Revision.FIRST;
    Map<String, Object> parameters = batch.parameters(board, kind.number());
    compare(findings, Check.FROZEN_EXCLUSIONS, parameters, labels);
    if (!closing) {
      compare(findings, Check.LINES_FROM_CLOSING, parameters, labels);
    }
    compare(findings, Check.PLACES_FROM_LINES, parameters, labels);
    compare(findings, Check.PRIZES_FROM_RULES, parameters, labels);
    if (closing && RuleParameters.of(board).haveBounds()) {
      compare(findings, Check.BOUNDS_FROM_MANIFESTS, parameters, labels);
    }
    if (RuleParameters.of(board).leaveTies()) {
      compare(findings, Check.TIES_FROM_RULES, parameters, labels);
    }
    parameters.putAll(tierFamily.parameters(board, batch.ids()));
    compare(findings, Check.TIER_MOVES_FROM_LINES, parameters, labels);
  }

  /**
   * @param archived whether awards for actions are taken as stored, since no journal has the
   *     actions
   */
  private void verifyPayments(
      Findings findings,
      VerificationBatch.Kind kind,
      VerificationBatch batch,
      Board board,
      boolean archived) {
    if (batch.labels().isEmpty()) {
      return;
    }
    Map<String, Object> parameters = batch.parameters(board, kind.number());
    parameters.put("archived", archived);
    if (archived) {
      // What is screened is compared with the journal.
      parameters.put("screened", false);
    }
    boolean closing = kind.number() == Revision.FIRST;
    if (!archived && (exists(FLAGS, parameters) || exists(WITHHELD, parameters))) {
      planning(
          batch,
          () -> compare(findings, Check.WITHHELD_AWARDS, unscreened(parameters), batch.labels()));
    }
    planning(
        batch,
        () ->
            compare(
                findings,
                closing ? Check.PAYMENTS_FROM_RULES : Check.PAYMENTS_FROM_DIFFERENCES,
                parameters,
                batch.labels()));
  }

  private boolean exists(String rows, Map<String, ?> parameters) {
    return jdbc.sql("select exists (" + rows + ")")
        .params(parameters)
        .query(Boolean.class)
        .single();
  }

  /** What is withheld is no payment, so that nothing stored says who is suspect. */
  private static Map<String, Object> unscreened(Map<String, Object> parameters) {
    var all = new HashMap<>(parameters);
    all.put("screened", false);
    return all;
  }

  /** Compares manifests of readable rules; {@link #verifyRevisions} names the others. */
  private void verifyManifests(Findings findings, VerificationBatch all) {
    all.posted()
        .forEach(
            (kind, labels) -> {
              Board board = definition(new Findings(), labels, kind.board(), kind.definitionHash());
              if (board != null) {
                Map<String, Object> parameters = all.of(labels).parameters(board, kind.number());
                manifests.compare(findings, parameters, board, labels);
                compare(findings, Check.MANIFEST_SUMS, parameters, labels);
              }
            });
  }

  private void setLocal(String setting, String value) {
    jdbc.sql("select set_config(:setting, :value, true)")
        .param("setting", setting)
        .param("value", value)
        .query(String.class)
        .single();
  }

  /** Null if it is missing or unreadable, which is a finding for each of the periods. */
  private @Nullable Board definition(
      Findings findings, Map<Long, String> labels, BoardId board, String hash) {
    try {
      return definitions.of(board, hash);
    } catch (UnreadableDefinition e) {
      for (String label : labels.values()) {
        findings.add(new Difference(label, new Definition(hash, board), new Rules(), null));
      }
      return null;
    }
  }

  private void compare(
      Findings findings, Check check, Map<String, ?> parameters, Map<Long, String> labels) {
    compare(findings, check.sql(VerificationBatch.tables(parameters)), parameters, labels);
  }

  private void compare(
      Findings findings, String sql, Map<String, ?> parameters, Map<Long, String> labels) {
    List<Found> found = jdbc.sql(sql).params(parameters).query(Found.class).list();
    if (!found.isEmpty()) {
      Found any = found.get(0);
      findings.addAll(
          found.stream().map(one -> one.difference(labels)).toList(),
          any.missing(),
          any.extra(),
          any.unequal());
    }
  }

  /** One of the first differences that a check finds, and the number of all. */
  private record Found(
      long missing,
      long extra,
      long unequal,
      @Nullable Long periodId,
      Sentence what,
      @Nullable Sentence derived,
      @Nullable Sentence stored) {
    Difference difference(Map<Long, String> labels) {
      String where = periodId == null ? "" : labels.getOrDefault(periodId, "");
      return new Difference(where, what, derived, stored);
    }
  }
}
