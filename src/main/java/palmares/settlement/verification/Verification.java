package palmares.settlement.verification;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.period.UnreadableDefinition;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.Durability;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.manifest.Anchors;
import palmares.settlement.manifest.Anchors.Anchor;
import palmares.settlement.outcome.Revision;
import palmares.settlement.verification.VerificationScope.Outcome;

/** Derives what settled periods must hold from journal, exclusions and rules, and compares. */
@Component
public class Verification {
  /** Periods of one definition are looked at so many at a time. */
  private static final int BATCH = 500;

  /**
   * Up to so many lines, planning a period's statements takes longer than running them, so that
   * their plans are kept.
   */
  private static final int FEW = 1_000;

  private final JdbcClient jdbc;
  private final NamedParameterJdbcTemplate template;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final ManifestVerification manifests;
  private final VerificationScope verificationScope;
  private final TierFamily tierFamily;
  private final Anchors anchors;
  private final AnchorVerification anchorAudit;
  private final SharedSnapshot moment;
  private final TransactionTemplate nested;

  Verification(
      NamedParameterJdbcTemplate template,
      Periods periods,
      BoardDefinitions definitions,
      ManifestVerification manifests,
      VerificationScope verificationScope,
      TierFamily tierFamily,
      Anchors anchors,
      AnchorVerification anchorAudit,
      SharedSnapshot moment,
      PlatformTransactionManager transactions) {
    this.jdbc = JdbcClient.create(template);
    this.template = template;
    this.periods = periods;
    this.definitions = definitions;
    this.manifests = manifests;
    this.verificationScope = verificationScope;
    this.tierFamily = tierFamily;
    this.anchors = anchors;
    this.anchorAudit = anchorAudit;
    this.moment = moment;
    this.nested = new TransactionTemplate(transactions);
    nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
  }

  /**
   * Every settled period of the board, or of all boards. Where no board is named, also that no
   * other period holds what it cannot hold yet, and that nothing belongs to no period. All as at
   * one moment.
   *
   * @param board only this board's periods; null for all
   * @param period only the period of that name; null for all
   */
  @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
  public Findings verifySettled(@Nullable BoardId board, @Nullable PeriodName period) {
    List<Anchor> anchored = board == null ? anchors.all() : List.of();
    Findings findings = verify(verificationScope.settled(board, period));
    if (board == null) {
      verifyWhole(findings, anchored);
    }
    return findings;
  }

  /**
   * Every period that was settled or amended from a time on, all that belongs to no settled one,
   * and the payments of every posted outcome. As it was at one moment, whatever the caller's
   * transaction sees.
   */
  @Transactional(
      readOnly = true,
      isolation = Isolation.REPEATABLE_READ,
      propagation = Propagation.REQUIRES_NEW)
  public Findings verifySince(Instant since) {
    List<Anchor> anchored = anchors.all();
    Findings findings = verify(verificationScope.settledSince(since));
    verifyWhole(findings, anchored);
    for (List<Integer> outcomes : verificationScope.posted()) {
      verifyPayments(findings, outcomes);
    }
    return findings;
  }

  private void verifyPayments(Findings findings, List<Integer> outcomes) {
    Map<String, Object> parameters = Map.of("outcomes", outcomes.toArray(Integer[]::new));
    releasing(() -> compare(findings, PaymentSql.PAYMENTS_FROM_POSTINGS, parameters, Map.of()));
  }

  /** What belongs to no settled period. */
  private void verifyWhole(Findings findings, List<Anchor> anchored) {
    lookForTooEarly(findings);
    compare(findings, ExclusionSql.EXCLUSIONS_FROM_ACTS, Map.of(), Map.of());
    compare(findings, RevisionSql.CHAIN_OF_ACTS, Map.of(), Map.of());
    compare(findings, CompletenessSql.FOUNDATIONS, Map.of(), Map.of());
    compare(findings, CompletenessSql.ORPHANS, Map.of(), Map.of());
    compare(findings, ChainSql.CHAIN_OF_MANIFESTS, Map.of(), Map.of());
    anchorAudit.compare(findings, anchored);
  }

  private void lookForTooEarly(Findings findings) {
    Map<Long, String> labels = verificationScope.unsettled();
    Map<String, Object> parameters = Map.of("ids", labels.keySet().toArray(Long[]::new));
    compare(findings, PaymentSql.TOO_EARLY, parameters, labels);
  }

  /** These periods, which must be settled. */
  @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
  public Findings verify(Collection<PeriodId> ids) {
    var findings = new Findings();
    // By the periods that are asked for: a plan for any of them would read the tables of all.
    plan("plan_cache_mode", "force_custom_plan");
    byDefinition(ids).values().forEach(alike -> verifyByDefinition(findings, alike));
    return findings;
  }

  /** Boards whose files have the same text are different boards all the same. */
  private record Rulebook(BoardId board, String hash) {}

  private Map<Rulebook, Map<Long, Period>> byDefinition(Collection<PeriodId> ids) {
    var groups = new LinkedHashMap<Rulebook, Map<Long, Period>>();
    for (PeriodId id : ids) {
      Period period = periods.get(id);
      groups
          .computeIfAbsent(
              new Rulebook(period.board(), period.definitionHash()), alike -> new LinkedHashMap<>())
          .put(id.value(), period);
    }
    return groups;
  }

  /** Periods that have tables of their own one at a time, the others many. */
  private void verifyByDefinition(Findings findings, Map<Long, Period> alike) {
    List<Outcome> outcomes = verificationScope.outcomes(alike.keySet().toArray(Long[]::new));
    var apart = new LinkedHashSet<Long>();
    outcomes.stream().filter(Outcome::apart).forEach(outcome -> apart.add(outcome.periodId()));
    var together = new ArrayList<Period>();
    for (Period period : alike.values()) {
      if (apart.contains(period.id().value())) {
        verifyApart(findings, period, outcomes);
      } else {
        together.add(period);
      }
    }
    for (int i = 0; i < together.size(); i += BATCH) {
      verifyAlike(findings, together.subList(i, Math.min(i + BATCH, together.size())), outcomes);
    }
  }

  /** Releases the locks on the tables that are read, so that a long history needs no more. */
  private void releasing(Runnable look) {
    nested.executeWithoutResult(
        status -> {
          look.run();
          status.setRollbackOnly();
        });
  }

  /**
   * A period that has tables of its own, which are big: what rests on its journal and what rests on
   * its lines side by side.
   */
  private void verifyApart(Findings findings, Period period, List<Outcome> outcomes) {
    if (!moment.canBeShared()) {
      releasing(
          () -> {
            allowMemory();
            verifyAlike(findings, List.of(period), outcomes);
          });
      return;
    }
    VerificationBatch batch = batch(findings, List.of(period), outcomes);
    if (batch != null) {
      findings.count(counts(batch));
      var ofLines = new Findings();
      moment.run(
          List.of(
              () -> {
                allowMemory();
                verifyPeriods(findings, batch);
              },
              () -> {
                allowMemory();
                verifyRevisions(ofLines, batch);
              }));
      findings.addAll(ofLines);
    }
  }

  /** For hash tables of millions of members; more than this goes to disk. */
  private void allowMemory() {
    plan("work_mem", "64MB");
  }

  private void verifyAlike(Findings findings, List<Period> alike, List<Outcome> outcomes) {
    VerificationBatch batch = batch(findings, alike, outcomes);
    if (batch == null) {
      return;
    }
    Findings.Counts counts = counts(batch);
    boolean small = counts.periods() == 1 && counts.lines() <= FEW && !batch.apart();
    if (small) {
      plan("plan_cache_mode", "force_generic_plan");
    }
    findings.count(counts);
    verifyPeriods(findings, batch);
    verifyRevisions(findings, batch);
    if (small) {
      plan("plan_cache_mode", "force_custom_plan");
    }
  }

  private Findings.Counts counts(VerificationBatch batch) {
    return jdbc.sql(RevisionSql.COUNTS)
        .params(batch.parameters())
        .query(Findings.Counts.class)
        .single();
  }

  /** Null if their rules are unreadable, which is a finding for each of the periods. */
  private @Nullable VerificationBatch batch(
      Findings findings, List<Period> alike, List<Outcome> outcomes) {
    var labels = new LinkedHashMap<Long, String>();
    alike.forEach(period -> labels.put(period.id().value(), period.label()));
    Period first = alike.get(0);
    Board board = definition(findings, labels, first.board(), first.definitionHash());
    return board == null ? null : new VerificationBatch(board, labels, outcomes).of(labels);
  }

  private void verifyPeriods(Findings findings, VerificationBatch batch) {
    Map<Long, String> labels = batch.labels();
    Map<String, Object> parameters = batch.parameters();
    verifyJournal(findings, batch);
    compare(findings, CompletenessSql.LOSSES_FROM_ACTS, parameters, labels);
    compare(findings, RevisionSql.STANDING_REVISION, parameters, labels);
    compare(findings, HoldSql.HOLDS_FROM_RULES, parameters, labels);
  }

  private void verifyRevisions(Findings findings, VerificationBatch batch) {
    batch.posted().forEach((kind, those) -> verifyRevision(findings, kind, batch.of(those)));
  }

  private void verifyJournal(Findings findings, VerificationBatch all) {
    VerificationBatch batch = all.of(verificationScope.journaled(all.labels()));
    Map<Long, String> labels = batch.labels();
    Map<String, Object> parameters = batch.parameters();
    Board board = batch.board();
    compare(findings, LineSql.POPULATION, all.parameters(), all.labels());
    compare(findings, CompletenessSql.DRAINED, all.parameters(), all.labels());
    compare(findings, CommitSql.JOURNAL_FROM_COMMITS, parameters, labels);
    if (board.durability() == Durability.COMMITTED) {
      compare(findings, CommitSql.NEVER_COMMITTED, parameters, labels);
    }
    compare(findings, EventSql.EVENTS_FROM_ACTIONS, parameters, labels);
    if (board.adoption() == null) {
      compare(findings, LineSql.LINES_FROM_JOURNAL, parameters, labels);
    } else {
      parameters.put("tellsTime", board.adoption().encoding().tellsTime());
      parameters.put("exactPoints", board.adoption().encoding().exactPoints());
      compare(findings, LossSql.LOSSES_FROM_LINES, parameters, labels);
    }
    compare(findings, CorrectionSql.CORRECTIONS_FROM_LATE_EVENTS, parameters, labels);
    compare(findings, CorrectionSql.LINES_FROM_CORRECTIONS, parameters, labels);
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
    compare(findings, ExclusionSql.FROZEN_FROM_EXCLUSIONS, parameters, labels);
    if (!closing) {
      compare(findings, LineSql.LINES_FROM_CLOSING, parameters, labels);
    }
    compare(findings, LineSql.PLACES_FROM_LINES, parameters, labels);
    compare(findings, AwardSql.PRIZES_FROM_RULES, parameters, labels);
    RuleArrays rules = RuleArrays.of(board);
    VerificationBatch awarded =
        rules.countActions() ? batch.of(verificationScope.journaled(labels)) : batch;
    // Sums of millions of events would be looked up one by one: the planner takes them for few.
    if (batch.apart()) {
      plan("enable_nestloop", "off");
    }
    compare(
        findings,
        closing ? PaymentSql.PAYMENTS_FROM_RULES : PaymentSql.PAYMENTS_FROM_DIFFERENCES,
        awarded.parameters(board, kind.number()),
        labels);
    if (batch.apart()) {
      plan("enable_nestloop", "on");
    }
    if (rules.leaveTies()) {
      compare(findings, AwardSql.TIES_FROM_RULES, parameters, labels);
    }
    parameters.putAll(tierFamily.parameters(board, batch.ids()));
    compare(findings, TierSql.MOVES_FROM_LINES, parameters, labels);
    manifests.compare(findings, parameters, board, labels);
  }

  private void plan(String setting, String value) {
    jdbc.sql("select set_config(:setting, :value, true)")
        .param("setting", setting)
        .param("value", value)
        .query(String.class)
        .single();
  }

  /** Null if there is none, which is a finding for each of the periods. */
  private @Nullable Board definition(
      Findings findings, Map<Long, String> labels, BoardId board, String hash) {
    try {
      return definitions.of(board, hash);
    } catch (UnreadableDefinition e) {
      labels
          .values()
          .forEach(
              label -> findings.add(new Difference(label, "definition " + hash, "rules", null)));
      return null;
    }
  }

  private void compare(
      Findings findings, String sql, Map<String, ?> parameters, Map<Long, String> labels) {
    template.query(
        SharedTables.of(sql, parameters),
        parameters,
        row -> {
          findings.add(
              new Difference(
                  labels.getOrDefault(row.getLong("period_id"), ""),
                  row.getString("what"),
                  row.getString("derived"),
                  row.getString("stored")));
        });
  }
}
