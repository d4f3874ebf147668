package palmares.audit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Board;
import palmares.board.BoardId;
import palmares.board.Durability;
import palmares.calendar.PeriodName;
import palmares.period.Definitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.period.UnreadableDefinition;
import palmares.proof.Anchors;
import palmares.proof.Anchors.Anchor;
import palmares.revision.Revision;

/** Derives what settled periods must hold from journal, snapshot and rules, and compares. */
@Component
public class Verification {
  /** Periods of one definition are looked at so many at a time. */
  private static final int BATCH = 500;

  private final JdbcClient jdbc;
  private final NamedParameterJdbcTemplate template;
  private final Periods periods;
  private final Definitions definitions;
  private final ManifestAudit manifests;
  private final Subjects subjects;
  private final Ladder ladder;
  private final Anchors anchors;
  private final AnchorAudit anchorAudit;

  Verification(
      NamedParameterJdbcTemplate template,
      Periods periods,
      Definitions definitions,
      ManifestAudit manifests,
      Subjects subjects,
      Ladder ladder,
      Anchors anchors,
      AnchorAudit anchorAudit) {
    this.jdbc = JdbcClient.create(template);
    this.template = template;
    this.periods = periods;
    this.definitions = definitions;
    this.manifests = manifests;
    this.subjects = subjects;
    this.ladder = ladder;
    this.anchors = anchors;
    this.anchorAudit = anchorAudit;
  }

  /**
   * Every settled period of the board, or of all boards, and the ledger's balances. Where no board
   * is named, also that no other period holds what it cannot hold yet. All as at one moment.
   *
   * @param board only this board's periods; null for all
   * @param period only the period of that name; null for all
   */
  @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
  public Findings verifySettled(@Nullable BoardId board, @Nullable PeriodName period) {
    List<Anchor> anchored = board == null ? anchors.all() : List.of();
    Findings findings = verify(subjects.settled(board, period));
    if (board == null) {
      verifyWhole(findings, anchored);
    }
    compare(findings, MoneySql.BALANCES_FROM_ENTRIES, Map.of(), Map.of());
    return findings;
  }

  /**
   * Every period that was settled or amended from a time on, all that belongs to no settled one,
   * and the ledger's balances. As it was at one moment, whatever the caller's transaction sees.
   */
  @Transactional(
      readOnly = true,
      isolation = Isolation.REPEATABLE_READ,
      propagation = Propagation.REQUIRES_NEW)
  public Findings verifySince(Instant since) {
    List<Anchor> anchored = anchors.all();
    Findings findings = verify(subjects.settledSince(since));
    verifyWhole(findings, anchored);
    compare(findings, MoneySql.BALANCES_FROM_ENTRIES, Map.of(), Map.of());
    return findings;
  }

  /** What belongs to no settled period. */
  private void verifyWhole(Findings findings, List<Anchor> anchored) {
    lookForTooEarly(findings);
    compare(findings, ExclusionSql.EXCLUSIONS_FROM_ACTS, Map.of(), Map.of());
    compare(findings, RevisionSql.CHAIN_OF_ACTS, Map.of(), Map.of());
    compare(findings, WholeSql.FOUNDATIONS, Map.of(), Map.of());
    compare(findings, WholeSql.ORPHANS, Map.of(), Map.of());
    compare(findings, ChainSql.CHAIN_OF_MANIFESTS, Map.of(), Map.of());
    anchorAudit.compare(findings, anchored);
  }

  private void lookForTooEarly(Findings findings) {
    Map<Long, String> labels = subjects.unsettled();
    compare(findings, MoneySql.TOO_EARLY, Map.of("ids", ids(labels)), labels);
  }

  private static Long[] ids(Map<Long, String> labels) {
    return labels.keySet().toArray(Long[]::new);
  }

  /** These periods, which must be settled. */
  @Transactional(readOnly = true)
  public Findings verify(Collection<PeriodId> ids) {
    var findings = new Findings();
    // By the periods that are asked for: a plan for any of them would read the tables of all.
    jdbc.sql("set local plan_cache_mode = force_custom_plan").update();
    byDefinition(ids)
        .forEach(
            (rules, alike) -> {
              for (int i = 0; i < alike.size(); i += BATCH) {
                verifyAlike(findings, alike.subList(i, Math.min(i + BATCH, alike.size())));
              }
            });
    return findings;
  }

  /** Boards whose files have the same text are different boards all the same. */
  private record Rulebook(BoardId board, String hash) {}

  private Map<Rulebook, List<Period>> byDefinition(Collection<PeriodId> ids) {
    var groups = new LinkedHashMap<Rulebook, List<Period>>();
    for (PeriodId id : ids) {
      Period period = periods.get(id);
      groups
          .computeIfAbsent(
              new Rulebook(period.board(), period.definitionHash()), alike -> new ArrayList<>())
          .add(period);
    }
    return groups;
  }

  private void verifyAlike(Findings findings, List<Period> alike) {
    var labels = new LinkedHashMap<Long, String>();
    alike.forEach(period -> labels.put(period.id().value(), period.label()));
    Period first = alike.get(0);
    Board board = definition(findings, labels, first.board(), first.definitionHash());
    if (board == null) {
      return;
    }
    var parameters = parameters(board, labels);

    findings.count(
        jdbc.sql(FameSql.COUNTS).params(parameters).query(Findings.Counts.class).single());
    verifyJournal(findings, board, subjects.journaled(labels));
    compare(findings, WholeSql.LOSSES_FROM_ACTS, parameters, labels);
    compare(findings, RevisionSql.STANDING_REVISION, parameters, labels);
    compare(findings, RevisionSql.OF_NO_REVISION, parameters, labels);
    compare(findings, HoldSql.HOLDS_FROM_RULES, parameters, labels);
    revisions(labels, board.id())
        .forEach((revision, those) -> verifyRevision(findings, revision, those));
  }

  private void verifyJournal(Findings findings, Board board, Map<Long, String> labels) {
    var parameters = parameters(board, labels);
    compare(findings, FameSql.POPULATION, parameters, labels);
    compare(findings, WholeSql.COPIES, parameters, labels);
    compare(findings, CommitSql.JOURNAL_FROM_COMMITS, parameters, labels);
    if (board.durability() == Durability.COMMITTED) {
      compare(findings, CommitSql.NEVER_COMMITTED, parameters, labels);
    }
    compare(findings, EventSql.EVENTS_FROM_ACTIONS, parameters, labels);
    if (board.adoption() == null) {
      compare(findings, FameSql.SNAPSHOT_FROM_JOURNAL, parameters, labels);
    } else {
      parameters.put("tellsTime", board.adoption().encoding().tellsTime());
      parameters.put("exactPoints", board.adoption().encoding().exactPoints());
      compare(findings, LossSql.LOSSES_FROM_SNAPSHOT, parameters, labels);
    }
    compare(findings, CorrectionSql.CORRECTIONS_FROM_LATE_EVENTS, parameters, labels);
    compare(findings, CorrectionSql.LINES_FROM_CORRECTIONS, parameters, labels);
  }

  /** The posted revisions of periods that are awarded by the same rules. */
  private Map<Posted, Map<Long, String>> revisions(Map<Long, String> labels, BoardId board) {
    var groups = new LinkedHashMap<Posted, Map<Long, String>>();
    jdbc.sql(RevisionSql.POSTED)
        .param("ids", ids(labels))
        .query(
            row -> {
              var posted =
                  new Posted(board, row.getInt("revision"), row.getString("definition_hash"));
              long period = row.getLong("period_id");
              groups
                  .computeIfAbsent(posted, alike -> new LinkedHashMap<>())
                  .put(period, Objects.requireNonNull(labels.get(period)));
            });
    return groups;
  }

  private record Posted(BoardId board, int number, String definitionHash) {}

  private void verifyRevision(Findings findings, Posted revision, Map<Long, String> labels) {
    Board board = definition(findings, labels, revision.board(), revision.definitionHash());
    if (board == null) {
      return;
    }
    var parameters = parameters(board, labels);
    parameters.put("revision", revision.number());
    compare(findings, ExclusionSql.FROZEN_FROM_EXCLUSIONS, parameters, labels);
    Map<Long, String> journaled = subjects.journaled(labels);
    var ofJournal = new HashMap<>(parameters);
    ofJournal.put("ids", ids(journaled));
    compare(findings, FameSql.STANDINGS_FROM_SNAPSHOT, ofJournal, journaled);
    compare(findings, AwardSql.AWARDS_FROM_RULES, ofJournal, journaled);
    if (Rules.of(board).leaveTies()) {
      compare(findings, AwardSql.TIES_FROM_RULES, ofJournal, journaled);
    }
    parameters.putAll(ladder.parameters(board, ids(labels)));
    compare(findings, TierSql.MOVES_FROM_STANDINGS, parameters, labels);
    compare(
        findings,
        revision.number() == Revision.FIRST
            ? MoneySql.TRANSFERS_FROM_AWARDS
            : RevisionSql.TRANSFERS_FROM_AMENDMENT,
        parameters,
        labels);
    manifests.compare(findings, revision.number(), board, labels);
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

  private static Map<String, Object> parameters(Board board, Map<Long, String> labels) {
    var parameters = new HashMap<String, Object>(Rules.of(board).parameters());
    parameters.put("ids", ids(labels));
    parameters.putAll(Order.parameters(board));
    return parameters;
  }

  private void compare(
      Findings findings, String sql, Map<String, ?> parameters, Map<Long, String> labels) {
    template.query(
        sql,
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
