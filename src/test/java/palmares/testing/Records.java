package palmares.testing;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.live.board.LivePage;
import palmares.live.board.LiveQueries;
import palmares.operations.report.PalmaresReport;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.platform.text.SaidBySql;
import palmares.rules.board.MemberId;
import palmares.settlement.verification.Findings;
import palmares.settlement.verification.Verification;

/** What a test reads: live and published lines, money, and what verification finds. */
public final class Records {
  private static final int ALL = 100_000;

  private final LiveQueries live;
  private final PalmaresReport published;
  private final BoardDefinitions definitions;
  private final Verification verification;
  private final JdbcClient jdbc;

  public Records(
      LiveQueries live,
      PalmaresReport published,
      BoardDefinitions definitions,
      Verification verification,
      JdbcClient jdbc) {
    this.live = live;
    this.published = published;
    this.definitions = definitions;
    this.verification = verification;
    this.jdbc = jdbc;
  }

  public List<Line> live(Period period) {
    return lines(live.top(period, definitions.of(period), ALL));
  }

  public List<Line> around(Period period, String member, int neighbours) {
    return lines(live.around(period, definitions.of(period), new MemberId(member), neighbours));
  }

  /** Without lines where Redis holds no such board. */
  private static List<Line> lines(Optional<LivePage> page) {
    return page.stream().flatMap(found -> found.lines().stream()).map(Line::of).toList();
  }

  public List<Line> published(Period period) {
    return published.top(period.board(), period.name(), ALL).stream().map(Line::of).toList();
  }

  /** The member's points while the period goes on; 0 if it does not stand there. */
  public long points(Period period, String member) {
    return around(period, member, 0).stream().mapToLong(Line::points).sum();
  }

  /** What a settled period paid, by member and rule. */
  public Map<String, Long> paid(Period period) {
    var paid = new TreeMap<String, Long>();
    jdbc.sql("select member || ' ' || rule as what, amount from transfer where period_id = ?")
        .param(period.id().value())
        .query(
            row -> {
              paid.put(row.getString("what"), row.getLong("amount"));
            });
    return paid;
  }

  public long balance(String member) {
    return number(
        "select coalesce(sum(balance), 0) from trial_balance where kind = 'member' and account = ?",
        member);
  }

  public long number(String sql, Object... parameters) {
    return jdbc.sql(sql).params(parameters).query(Long.class).single();
  }

  public List<String> words(String sql, Object... parameters) {
    return jdbc.sql(sql).params(parameters).query(String.class).list();
  }

  /** All settled periods and the ledger. */
  public Findings verify() {
    Findings findings = verification.verifySettled(null, null);
    findings.named().forEach(difference -> SaidBySql.requireText(difference.said()));
    return findings;
  }
}
