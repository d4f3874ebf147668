package palmares.settlement.dailydigest;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.text.Sentence;
import palmares.settlement.dailydigest.Digest.Span;
import palmares.settlement.dailydigest.UnusualPeriods.Paid;
import palmares.settlement.dailydigest.UnusualPeriods.Posted;
import palmares.settlement.manifest.Anchors;
import palmares.settlement.outcome.HoldReason;
import palmares.settlement.wallet.WalletComparisons;

/** Computes what a digest says. */
@Component
class DigestReport {
  /** A longer list is cut, and the number of omitted entries is given. */
  private static final int MAX_ENTRIES = 200;

  private final JdbcClient jdbc;
  private final UnusualPeriods unusual;
  private final Anchors anchors;
  private final WalletComparisons comparisons;

  DigestReport(
      JdbcClient jdbc, UnusualPeriods unusual, Anchors anchors, WalletComparisons comparisons) {
    this.comparisons = comparisons;
    this.jdbc = jdbc;
    this.unusual = unusual;
    this.anchors = anchors;
  }

  Map<String, Object> of(Span span, String zone) {
    List<Posted> posted = posted(span);
    List<Posted> closed = posted.stream().filter(outcome -> outcome.revision() == 1).toList();
    List<Paid> paid = unusual.paid(posted);
    var data = new LinkedHashMap<String, Object>();
    data.put("day", span.day().toString());
    data.put("zone", zone);
    data.put("since", span.since().toString());
    data.put("until", span.until().toString());
    data.put("nothingDue", closed.isEmpty() && !isAnyDue(span.until()));
    put(data, "closed", closedByBoard(closed));
    put(data, "paid", sums(paid, Paid::amount, "amount"));
    put(data, "takenBack", sums(paid, Paid::takenBack, "amount"));
    data.put("amendments", posted.size() - closed.size());
    data.put("failedAttempts", failedAttempts(span));
    put(data, "failed", failed());
    put(data, "held", held());
    put(data, "overdue", overdue());
    put(data, "unusual", unusual.among(closed, paid));
    put(data, "lateEvents", lateEvents(span));
    put(data, "wallet", wallet());
    comparisons.failing().ifPresent(failing -> data.put("walletFailure", failing.failure()));
    verification(span).ifPresent(night -> data.put("verification", night));
    data.put("links", anchors.last().stream().map(last -> last.link().toString()).toList());
    return data;
  }

  private static void put(Map<String, Object> data, String name, List<?> entries) {
    data.put(name, entries.subList(0, Math.min(entries.size(), MAX_ENTRIES)));
    if (entries.size() > MAX_ENTRIES) {
      data.put(name + "Omitted", entries.size() - MAX_ENTRIES);
    }
  }

  private List<Posted> posted(Span span) {
    return jdbc.sql(
            """
            select period.id as period, period.board, period.name, period.starts_at,
              revision.id as outcome, revision.revision,
              coalesce(rebuilt_members, sealed_members) as members,
              coalesce((
                select extract(epoch from ended_at - started_at)
                from run
                where run.period_id = period.id and run.outcome = 'settled'
                order by run.id desc
                limit 1), 0)::float8 as seconds
            from fact
            join period on period.board = fact.board and period.name = fact.period
            join revision
              on revision.period_id = period.id and revision.revision = fact.revision
            where fact.n > :after and fact.n <= :last
              and type in ('period.settled', 'period.amended')
            order by period.board, period.starts_at
            """)
        .param("after", span.after())
        .param("last", span.last())
        .query(Posted.class)
        .list();
  }

  private boolean isAnyDue(Instant now) {
    return jdbc.sql(
            "select exists (select from period where settled_at is null and closes_at <= :now)")
        .param("now", now)
        .query(Boolean.class)
        .single();
  }

  private static List<Map<String, Object>> closedByBoard(List<Posted> closed) {
    var boards = new TreeMap<String, Map<String, Object>>();
    for (Posted period : closed) {
      Map<String, Object> entry =
          boards.computeIfAbsent(
              period.board(), board -> entry("board", board, "periods", 0L, "members", 0L));
      entry.merge("periods", 1L, (a, b) -> (Long) a + (Long) b);
      entry.merge("members", period.members(), (a, b) -> (Long) a + (Long) b);
    }
    return List.copyOf(boards.values());
  }

  private static List<Map<String, Object>> sums(
      List<Paid> paid, Function<Paid, BigDecimal> amount, String name) {
    var sums = new TreeMap<String, Map<String, Object>>();
    for (Paid each : paid) {
      if (amount.apply(each).signum() > 0) {
        sums.computeIfAbsent(
                each.board() + " " + each.currency(),
                key -> entry("board", each.board(), "currency", each.currency()))
            .merge(name, amount.apply(each), (a, b) -> ((BigDecimal) a).add((BigDecimal) b));
      }
    }
    return List.copyOf(sums.values());
  }

  /** Returns a map with the names and values, in their order. */
  private static Map<String, Object> entry(Object... namesAndValues) {
    var entry = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      entry.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return entry;
  }

  private long failedAttempts(Span span) {
    return jdbc.sql(
            """
            select count(*) from fact
            where n > :after and n <= :last and type = 'period.failed'
            """)
        .param("after", span.after())
        .param("last", span.last())
        .query(Long.class)
        .single();
  }

  private record Failed(String board, String period, int failures, Sentence failure) {}

  private List<Failed> failed() {
    return jdbc.sql(
            """
            select board, name as period, failures, failure
            from period
            where settled_at is null and failure is not null
              and not needs_person(state)
            order by board, starts_at
            """)
        .query(Failed.class)
        .list();
  }

  private record Held(String board, String period, String state, List<HoldReason> reasons) {}

  private List<Held> held() {
    return jdbc.sql(
            """
            select board, name as period, state, held_for as reasons
            from period
            join revision on revision.period_id = period.id and revision.revision = 1
            where settled_at is null and needs_person(state)
            order by board, starts_at
            """)
        .query(Held.class)
        .list();
  }

  private record Overdue(String board, String period, Instant closesAt) {}

  private List<Overdue> overdue() {
    return jdbc.sql(
            """
            select board, name as period, closes_at from period
            where settled_at is null and overdue_at is not null and failure is null
            order by board, starts_at
            """)
        .query(Overdue.class)
        .list();
  }

  private List<Map<String, Object>> lateEvents(Span span) {
    return jdbc.sql(
            """
            select board, count(*) as events from late_event
            where arrived_at > :since and arrived_at <= :until
            group by board
            order by board
            """)
        .param("since", span.since())
        .param("until", span.until())
        .query()
        .listOfRows();
  }

  /** How many differences of each kind are open with the wallet. */
  private List<Map<String, Object>> wallet() {
    return jdbc.sql(
            """
            select kind, count(*) as findings from wallet_finding
            where closed_at is null
            group by kind
            order by kind
            """)
        .query()
        .listOfRows();
  }

  private Optional<Map<String, Object>> verification(Span span) {
    return jdbc
        .sql(
            """
            select night::text, periods, differences from verification_run
            where ended_at > :since and ended_at <= :until
            order by night desc
            limit 1
            """)
        .param("since", span.since())
        .param("until", span.until())
        .query()
        .listOfRows()
        .stream()
        .findFirst();
  }
}
