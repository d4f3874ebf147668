package palmares.settlement.reward;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.RankMethod;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Tables;
import palmares.settlement.verification.Difference;
import palmares.settlement.verification.Verification;
import palmares.testing.World;

/**
 * A period whose final lines are written by hand, so that rules meet lines of every kind; all of it
 * is forgotten after each look.
 */
final class Podium {
  /** What a rule per action pays for. */
  static final String ACTION = "invite";

  private final World world;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final Revisions revisions;
  private final Awards awards;
  private final Verification verification;

  Podium(
      World world,
      JdbcClient jdbc,
      TransactionTemplate transaction,
      Revisions revisions,
      Awards awards,
      Verification verification) {
    this.world = world;
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.revisions = revisions;
    this.awards = awards;
    this.verification = verification;
  }

  /**
   * What came of it.
   *
   * @param credits by member, rule and currency
   * @param ties those that wait for a person
   * @param doubts what the audit says of the awards
   */
  record Outcome(Map<String, Long> credits, List<HeldTie> ties, List<String> doubts) {
    /** The held ties as {@code rule points}. */
    Set<String> held(List<Entrant> entrants) {
      var points = new TreeMap<String, Long>();
      entrants.forEach(entrant -> points.put(entrant.member(), entrant.points()));
      var held = new TreeSet<String>();
      ties.forEach(tie -> held.add(tie.rule() + " " + points.get(tie.members().get(0))));
      return held;
    }
  }

  Outcome awards(Board board, List<Entrant> entrants, @Nullable Ties decided) {
    return with(
        board,
        entrants,
        period -> {
          if (decided != null) {
            jdbc.sql("update revision set ties = ?").param(decided.word()).update();
          }
          awards.award(period, 1, board, decided);
          post();
          return new Outcome(credits(), awards.heldTies(period, 1, board), doubts(period));
        });
  }

  /** Runs in a transaction that is rolled back. */
  <T> T with(Board board, List<Entrant> entrants, Function<Period, T> look) {
    Period period = world.open(board);
    return transaction.execute(
        status -> {
          status.setRollbackOnly();
          int outcome = revisions.begin(period, board, "test", Tables.SHARED);
          jdbc.sql(
                  "select set_config('palmares.fence', fence::text, true) from period where id = ?")
              .param(period.id().value())
              .query(String.class)
              .single();
          write(period, outcome, board, entrants);
          return look.apply(period);
        });
  }

  private void write(Period period, int outcome, Board board, List<Entrant> entrants) {
    List<Entrant> lines = ordered(board, entrants);
    stand(outcome, lines, ranks(board, lines));
    for (Entrant entrant : lines) {
      if (entrant.excluded()) {
        exclude(period, entrant);
      }
      if (entrant.registered()) {
        register(period, entrant, "- interval '1 microsecond'");
      } else if (board.payout().eligible().isRegisteredOnly()) {
        register(period, entrant, "");
      }
      long worth = Objects.requireNonNull(board.actions().get(ACTION)).points();
      if (worth > 0) {
        act(period, entrant, worth);
      }
    }
  }

  /** Unranked members come last; of equal members, the first of the list comes first. */
  static List<Entrant> ordered(Board board, List<Entrant> entrants) {
    Comparator<Entrant> best = Comparator.comparing(Entrant::points);
    return entrants.stream()
        .sorted(
            Comparator.comparing((Entrant entrant) -> !entrant.ranked())
                .thenComparing(board.scale().scoring().fewestWin() ? best : best.reversed()))
        .toList();
  }

  /** 0 for who has none. */
  private static List<Long> ranks(Board board, List<Entrant> lines) {
    var ranks = new ArrayList<Long>();
    for (int i = 0; i < lines.size(); i++) {
      Entrant line = lines.get(i);
      boolean tied = i > 0 && lines.get(i - 1).points() == line.points();
      if (!line.ranked()) {
        ranks.add(0L);
      } else if (tied && board.ranks() != RankMethod.UNIQUE) {
        ranks.add(ranks.get(i - 1));
      } else {
        ranks.add(board.ranks() == RankMethod.DENSE && i > 0 ? ranks.get(i - 1) + 1 : i + 1L);
      }
    }
    return ranks;
  }

  private void stand(int outcome, List<Entrant> lines, List<Long> ranks) {
    jdbc.sql(
            """
            insert into line (outcome, place, rank, member, points, reached_at)
            select :outcome, place, nullif(rank, 0), member, points, now()
            from unnest(:members::text[], :points::bigint[], :ranks::bigint[])
              with ordinality as line (member, points, rank, place)
            """)
        .param("outcome", outcome)
        .param("members", lines.stream().map(Entrant::member).toArray(String[]::new))
        .param("points", lines.stream().map(Entrant::points).toArray(Long[]::new))
        .param("ranks", ranks.toArray(Long[]::new))
        .update();
  }

  private void exclude(Period period, Entrant entrant) {
    jdbc.sql(
            """
            with made as (
              insert into exclusion (member, level, reason, made_by, made_at)
              values (:member, 'no-prize', 'a test', 'test', now())
              returning id
            )
            insert into frozen_exclusion (period_id, revision, member, level, exclusion_id)
            select :period, 1, :member, 'no-prize', id from made
            """)
        .param("period", period.id().value())
        .param("member", entrant.member())
        .update();
  }

  /** The member is of the period that its registration lies in: at the very end, of the next. */
  private void register(Period period, Entrant entrant, String beforeTheEnd) {
    jdbc.sql(
            """
            insert into member (
              id, external_hash, external_mask, nickname, invite_code, digest, registered_at)
            select :member, :member, '', :member, translate(
                upper(lpad(to_hex(abs(hashtext(:member))), 8, '2')), '01EFILOU', '23456789'),
              '', ends_at %s
            from period where id = :period
            """
                .formatted(beforeTheEnd))
        .param("period", period.id().value())
        .param("member", entrant.member())
        .update();
  }

  private void act(Period period, Entrant entrant, long worth) {
    if (entrant.actions() > 0) {
      jdbc.sql(
              """
              insert into event (
                period_id, seq, id, member, action, outcome, quantity, points, occurred_at)
              select :period, coalesce(max(seq), 0) + 1, :member, :member, :action, 'applied',
                :actions, :actions * :worth, now()
              from event where period_id = :period
              """)
          .param("period", period.id().value())
          .param("member", entrant.member())
          .param("action", ACTION)
          .param("actions", entrant.actions())
          .param("worth", worth)
          .update();
    }
    if (entrant.late() > 0) {
      jdbc.sql(
              """
              with late as (
                insert into late_event (
                  board, period, id, member, action, undo, quantity, occurred_at, arrived_at)
                values (
                  :board, :name, 'late ' || :member, :member, :action, false, :late, now(), now())
                returning id
              )
              insert into correction (
                period_id, revision, n, member, kind, event_id, points, reason, made_by, made_at)
              select :period, 1, count(*) + 1, :member, 'late-event', 'late ' || :member,
                :late * :worth, 'a test', 'test', now()
              from correction
              """)
          .param("board", period.board().value())
          .param("name", period.name().value())
          .param("period", period.id().value())
          .param("member", entrant.member())
          .param("action", ACTION)
          .param("late", entrant.late())
          .param("worth", worth)
          .update();
    }
  }

  /** Only what is posted is audited. */
  void post() {
    jdbc.sql(
            """
            update revision
            set verdict = 'approved', decided_by = 'test', decided_at = now(),
              verdict_reason = 'a test', posted_at = now(), fence = period.fence
            from period
            where period.id = revision.period_id
            """)
        .update();
  }

  private Map<String, Long> credits() {
    var credits = new TreeMap<String, Long>();
    jdbc.sql("select member || ' ' || rule || ' ' || currency as what, credits from award")
        .query(
            row -> {
              credits.put(row.getString("what"), row.getLong("credits"));
            });
    return credits;
  }

  /** What the audit says of the awards. */
  List<String> doubts(Period period) {
    return verification.verify(List.of(period.id())).named().stream()
        .map(Difference::said)
        .map(Texts::english)
        .filter(
            sentence ->
                sentence.contains(": award of ") || sentence.contains(": decision on ties by "))
        .toList();
  }
}
