package palmares.bench.close;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.bench.Beans;
import palmares.bench.ProgressListener.Task;
import palmares.bench.close.UsualWay.Awards.Award;
import palmares.bench.seeding.LiveBoardReader;
import palmares.bench.seeding.SeededPeriod;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.TakingPart;
import palmares.rules.payout.RewardRule.TopPercent;

/**
 * Closes a board as common recipes do. Pages of the ZSET are read from the best on; their positions
 * are the ranks. {@code JdbcTemplate} stores them in batches of 1,000. Each payment is a
 * transaction with a transfer, two entries and the balances of two accounts. The tables are in
 * {@code bench/usual-way.sql}.
 */
final class UsualWay {
  private static final int BATCH = 1_000;
  private static final Resource TABLES = new ClassPathResource("bench/usual-way.sql");

  private final LiveBoardReader live;
  private final JdbcTemplate jdbc;
  private final TransactionTemplate transaction;

  UsualWay(Beans beans) {
    this.live = new LiveBoardReader(beans);
    this.jdbc = beans.get(JdbcTemplate.class);
    this.transaction = beans.get(TransactionTemplate.class);
  }

  /** The parameters of a closing. */
  private record Work(SeededPeriod seeded, Awards awards, Instant now, long house) {
    long period() {
      return seeded.period().id().value();
    }
  }

  /** A line and its place. */
  private record Ranked(MemberScore line, long place) {}

  /** Creates the tables and closes the period into them. */
  void close(SeededPeriod seeded, Task task) {
    makeTables();
    long house = account("house", "rewards:" + seeded.board().id(), 0);
    Instant now = Objects.requireNonNull(seeded.period().closesAt());
    var work = new Work(seeded, new Awards(seeded.board()), now, house);
    var page = page(work, 0);
    for (long from = 0; !page.isEmpty(); from += BATCH, page = page(work, from)) {
      store(work, page);
      for (Ranked ranked : page) {
        work.awards().of(ranked.line(), ranked.place()).forEach(award -> pay(work, award));
      }
      task.at(from + page.size());
    }
  }

  private void makeTables() {
    new ResourceDatabasePopulator(TABLES).execute(Objects.requireNonNull(jdbc.getDataSource()));
  }

  /** The totals of the closing. */
  ClosingTotals outcome() {
    return ClosingTotals.of(JdbcClient.create(jdbc), "usual_standing", "usual_transfer");
  }

  /** Drops the tables. */
  void drop() {
    jdbc.execute("drop table usual_standing, usual_transfer, usual_entry, usual_account");
  }

  private List<Ranked> page(Work work, long from) {
    var page = new ArrayList<Ranked>(BATCH);
    for (MemberScore line : live.best(work.seeded(), from, BATCH)) {
      page.add(new Ranked(line, from + page.size() + 1));
    }
    return page;
  }

  private void store(Work work, List<Ranked> page) {
    transaction.executeWithoutResult(
        status ->
            jdbc.batchUpdate(
                """
                insert into usual_standing (
                  period_id, revision, place, rank, member, points, then_by, arrival, reached_at)
                values (?, 1, ?, ?, ?, ?, 0, 0, ?)
                """,
                page,
                BATCH,
                (row, ranked) -> set(row, work, ranked)));
  }

  private static void set(PreparedStatement row, Work work, Ranked ranked) throws SQLException {
    row.setLong(1, work.period());
    row.setLong(2, ranked.place());
    row.setLong(3, ranked.place());
    row.setString(4, ranked.line().member());
    row.setLong(5, ranked.line().points());
    row.setTimestamp(6, Timestamp.from(Objects.requireNonNull(ranked.line().reachedAt())));
  }

  private void pay(Work work, Award award) {
    transaction.executeWithoutResult(
        status -> {
          long payee = account("member", award.member(), award.credits());
          Long transfer =
              jdbc.queryForObject(
                  """
                  insert into usual_transfer (
                    period_id, revision, member, rule, from_account, to_account, amount, posted_at,
                    fence)
                  values (?, 1, ?, ?, ?, ?, ?, ?, 1)
                  returning id
                  """,
                  Long.class,
                  work.period(),
                  award.member(),
                  award.rule(),
                  work.house(),
                  payee,
                  award.credits(),
                  Timestamp.from(work.now()));
          jdbc.batchUpdate(
              "insert into usual_entry (transfer_id, account_id, amount) values (?, ?, ?)",
              List.of(
                  new Object[] {transfer, work.house(), -award.credits()},
                  new Object[] {transfer, payee, award.credits()}));
          jdbc.update(
              "update usual_account set balance = balance - ? where id = ?",
              award.credits(),
              work.house());
        });
  }

  /** Adds to an account's balance, creates the account if it does not exist, and returns its id. */
  private long account(String kind, String name, long amount) {
    return Objects.requireNonNull(
        jdbc.queryForObject(
            """
            insert into usual_account (kind, name, currency, balance) values (?, ?, 'credits', ?)
            on conflict (kind, name, currency)
            do update set balance = usual_account.balance + excluded.balance
            returning id
            """,
            Long.class,
            kind,
            name,
            amount));
  }

  /** Computes the awards of single lines, for boards with unique ranks. */
  static final class Awards {
    private final List<RewardRule> rules;

    Awards(Board board) {
      this.rules = board.payout().rules();
    }

    /** The credits that a member gets by a rule. */
    record Award(String rule, String member, long credits) {}

    /**
     * The awards of a line.
     *
     * @param place from 1
     */
    List<Award> of(MemberScore line, long place) {
      var awards = new ArrayList<Award>();
      for (RewardRule rule : rules) {
        long credits = rule.accept(new CreditsByKind(line, place));
        if (credits > 0) {
          awards.add(new Award(rule.name(), line.member(), credits));
        }
      }
      return awards;
    }

    private record CreditsByKind(MemberScore line, long place) implements RewardRule.Visitor<Long> {
      @Override
      public Long rankPrizes(RankPrizes rule) {
        return rule.bands().stream()
            .filter(band -> band.from() <= place && place <= band.to())
            .mapToLong(RewardRule.Band::credits)
            .sum();
      }

      @Override
      public Long perAction(PerAction rule) {
        return line.points() * rule.credits();
      }

      @Override
      public Long topPercent(TopPercent rule) {
        throw unsupported(rule);
      }

      @Override
      public Long milestones(Milestones rule) {
        throw unsupported(rule);
      }

      @Override
      public Long takingPart(TakingPart rule) {
        throw unsupported(rule);
      }

      private static IllegalArgumentException unsupported(RewardRule rule) {
        return new IllegalArgumentException("no awards are computed for " + rule);
      }
    }
  }
}
