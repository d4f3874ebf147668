package palmares.operations.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.util.UriUtils;
import palmares.operations.report.MonthReport.Month;
import palmares.platform.output.Summed;
import palmares.platform.sql.RecordMapper;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * Adds up what was posted for each member, for those who pay it out elsewhere. Each statement reads
 * a few outcomes and ends its transaction: posted rows never change, and a long history is never
 * locked as a whole.
 */
@Component
public class PayoutReport {
  private static final int MAX_FILES = 5;

  /** Transfers of a payout that is shown in pages, each of which adds up all that follow. */
  private static final int MAX_TRANSFERS_IN_PAGES = 500_000;

  private static final String POSTED =
      """
      select revision.id
      from revision
      join period on period.id = revision.period_id
      where revision.posted_at is not null
      """;

  private static final String SELECT_SUMS =
      """
      select paid.member, prize.currency, count(*) as transfers,
        coalesce(sum(amount) filter (where purpose = 1), 0) as paid,
        coalesce(sum(amount) filter (where purpose = 2), 0) as taken_back,
        coalesce(sum(case purpose when 1 then amount when 2 then -amount end), 0) as net,
        coalesce(sum(amount) filter (where purpose = 3), 0) as owed,
        coalesce(sum(amount) filter (where purpose = 4), 0) as written_off,
        coalesce(sum(amount) filter (where purpose = 5), 0) as restored,
        max(posted_at) as posted_at
      from posted_payment paid
      join prize on prize.outcome = paid.outcome and prize.rule = paid.rule
      where paid.outcome = any(:outcomes::int[]) and prize.outcome = any(:outcomes::int[])
      """;

  private static final String BY_MEMBER = "group by paid.member, prize.currency\n";

  private static final String IN_ORDER =
      "order by paid.member collate \"C\", prize.currency collate \"C\"\n";

  private static final String PAGE =
      SELECT_SUMS
          + """
          and (paid.member collate "C", prize.currency collate "C") > (:member, :currency)
          """
          + BY_MEMBER
          + IN_ORDER
          + "limit :most";

  private static final String CREATE_PARTS =
      """
      create temporary table payout_part (
        member text collate "C", currency text collate "C", transfers bigint, paid numeric,
        taken_back numeric, net numeric, owed numeric, written_off numeric, restored numeric,
        posted_at timestamptz)
      """;

  private static final String JOIN_PARTS =
      """
      select member, currency, sum(transfers) as transfers, sum(paid) as paid,
        sum(taken_back) as taken_back, sum(net) as net, sum(owed) as owed,
        sum(written_off) as written_off, sum(restored) as restored, max(posted_at) as posted_at
      from payout_part
      group by member, currency
      order by member, currency
      """;

  private static final String MANIFESTS =
      """
      select sum.currency, sum(sum.number) as transfers,
        coalesce(sum(amount) filter (where sum.name = 'award'), 0) as paid,
        coalesce(sum(amount) filter (where sum.name = 'return'), 0) as taken_back
      from revision
      join manifest using (period_id, revision)
      cross join lateral manifest_sums(sums, 'payments-by-purpose') sum
      where revision.id = any(:outcomes::int[])
      group by sum.currency
      order by sum.currency collate "C"
      """;

  private static final RowMapper<PayoutLine> LINE = RecordMapper.of(PayoutLine.class);

  private final MonthReport months;
  private final JdbcClient jdbc;
  private final JdbcOperations database;
  private final TransactionTemplate transaction;

  PayoutReport(
      MonthReport months,
      JdbcClient jdbc,
      JdbcOperations database,
      TransactionTemplate transaction) {
    this.months = months;
    this.jdbc = jdbc;
    this.database = database;
    this.transaction = transaction;
  }

  /**
   * Says what a payout file is about.
   *
   * @param reference names it in the reference of each line
   * @param outcomes the ids of its posted revisions
   */
  public record Payout(String reference, List<Integer> outcomes) {
    public Payout {
      outcomes = List.copyOf(outcomes);
    }

    /** Names a line, the same whenever the file is made. */
    public String reference(PayoutLine line) {
      return "%s/%s/%s"
          .formatted(reference, line.currency(), UriUtils.encodePathSegment(line.member(), UTF_8));
    }
  }

  /**
   * The sums of a member's transfers in one currency.
   *
   * @param transfers the number of transfers
   * @param paid what the member got
   * @param takenBack what it gave back
   * @param net what it got less what it gave back
   * @param owed what it owes since, as a debt
   * @param writtenOff what it was overpaid and the house bears
   * @param restored what it got again of debts and write-offs
   * @param postedAt when the last of the transfers was posted
   */
  public record PayoutLine(
      String member,
      String currency,
      @Summed long transfers,
      @Summed long paid,
      @Summed long takenBack,
      @Summed long net,
      @Summed long owed,
      @Summed long writtenOff,
      @Summed long restored,
      Instant postedAt) {}

  /** Sums up what the manifests of the revisions say in one currency. */
  public record PayoutSum(
      String currency, BigDecimal transfers, BigDecimal paid, BigDecimal takenBack) {}

  /**
   * What was posted for a period.
   *
   * @param revision only by this revision; null for all
   */
  public Payout ofPeriod(BoardId board, PeriodName period, @Nullable Integer revision) {
    return new Payout(
        revision == null ? board + "/" + period : "%s/%s/%s".formatted(board, period, revision),
        jdbc.sql(
                POSTED
                    + """
                    and board = :board and name = :period
                    and revision.revision = coalesce(:revision, revision.revision)
                    order by revision.id
                    """)
            .param("board", board)
            .param("period", period)
            .param("revision", revision)
            .query(Integer.class)
            .list());
  }

  /** What was posted for the periods of a board that start in a range; null is an open end. */
  public Payout ofBoard(BoardId board, @Nullable Instant from, @Nullable Instant to) {
    return new Payout(
        "%s/%s..%s".formatted(board, from == null ? "" : from, to == null ? "" : to),
        jdbc.sql(
                POSTED
                    + """
                    and board = :board
                    and starts_at >= coalesce(:from::timestamptz, '-infinity')
                    and starts_at < coalesce(:to::timestamptz, 'infinity')
                    order by revision.id
                    """)
            .param("board", board)
            .param("from", from)
            .param("to", to)
            .query(Integer.class)
            .list());
  }

  /** The number of periods of a board that ended in a range and are not settled. */
  public long unsettled(BoardId board, @Nullable Instant from, @Nullable Instant to, Instant now) {
    return jdbc.sql(
            """
            select count(*) from period
            where board = :board and settled_at is null and closes_at <= :now
              and starts_at >= coalesce(:from::timestamptz, '-infinity')
              and starts_at < coalesce(:to::timestamptz, 'infinity')
            """)
        .param("board", board)
        .param("now", now)
        .param("from", from)
        .param("to", to)
        .query(Long.class)
        .single();
  }

  /**
   * Whether further periods of a board will be settled in a range, beyond those that are due, so
   * that sums under the references of its file grow.
   */
  public boolean isOpen(BoardId board, @Nullable Instant from, @Nullable Instant to, Instant now) {
    return to == null
        || to.isAfter(now)
        || jdbc.sql(
                """
                select exists (
                  select from period
                  where board = :board and settled_at is null and closes_at > :now
                    and starts_at >= coalesce(:from::timestamptz, '-infinity')
                    and starts_at < :to)
                """)
            .param("board", board)
            .param("now", now)
            .param("from", from)
            .param("to", to)
            .query(Boolean.class)
            .single();
  }

  /**
   * What was posted for all boards in a month. If the month is over, it is final.
   *
   * @param now by which a caller decides whether it is over
   */
  public Payout ofMonth(Month month, Instant now) {
    months.closeBooks(month, now);
    return new Payout(
        "%s[%s]".formatted(month.month(), month.zone()),
        jdbc.sql(
                """
                select revision.id
                from manifest_link
                join revision using (period_id, revision)
                where counted_at >= :from and counted_at < :until
                order by revision.id
                """)
            .param("from", month.from())
            .param("until", month.until())
            .query(Integer.class)
            .list());
  }

  /**
   * A file under another reference that has some of the same transfers.
   *
   * @param shared the number of posted revisions that are in both
   */
  public record OverlappingFile(String reference, long shared, String madeBy, Instant madeAt) {}

  /**
   * The files that were made before under the same reference with other posted revisions.
   *
   * @param files how many
   * @param shared the number of posted revisions of the payout that the latest of them has
   * @param madeBy who made the latest
   * @param madeAt when the latest was made
   */
  public record EarlierFiles(long files, long shared, String madeBy, Instant madeAt) {}

  /** Records that a payout file was made. Nobody can pay by an empty one. */
  public void keep(Payout payout, String by, Instant now) {
    if (payout.outcomes().isEmpty()) {
      return;
    }
    jdbc.sql(
            """
            insert into payout_file (reference, outcomes, made_by, made_at)
            values (:reference, :outcomes, :by, :now)
            on conflict do nothing
            """)
        .param("reference", payout.reference())
        .param("outcomes", payout.outcomes())
        .param("by", by)
        .param("now", now)
        .update();
  }

  /**
   * The files that were made under the same reference with other posted revisions: who paid by them
   * must pay only what none of them has.
   */
  public Optional<EarlierFiles> earlierFiles(Payout payout) {
    return jdbc.sql(
            """
            select made_by, made_at, count(*) over () as files, (
                select count(*) from unnest(outcomes) outcome
                where outcome = any(:outcomes::int[])) as shared
            from payout_file
            where reference = :reference and outcomes <> :outcomes::int[]
            order by id desc
            limit 1
            """)
        .param("reference", payout.reference())
        .param("outcomes", payout.outcomes())
        .query(EarlierFiles.class)
        .optional();
  }

  /** The latest files that have some of the same transfers, one for each other reference. */
  public List<OverlappingFile> overlapping(Payout payout) {
    return jdbc.sql(
            """
            select reference, made_by, made_at, (
                select count(*) from unnest(outcomes) outcome
                where outcome = any(:outcomes::int[])) as shared
            from (
              select distinct on (reference) *
              from payout_file
              where reference <> :reference and outcomes && :outcomes::int[]
              order by reference, id desc) latest
            order by made_at desc, reference
            limit :most
            """)
        .param("reference", payout.reference())
        .param("outcomes", payout.outcomes())
        .param("most", MAX_FILES)
        .query(OverlappingFile.class)
        .list();
  }

  /** Under how many other references a file has some of the same transfers. */
  public long countOverlapping(Payout payout) {
    return jdbc.sql(
            """
            select count(distinct reference) from payout_file
            where reference <> :reference and outcomes && :outcomes::int[]
            """)
        .param("reference", payout.reference())
        .param("outcomes", payout.outcomes())
        .query(Long.class)
        .single();
  }

  /** The sums in the manifests, by currency. */
  public List<PayoutSum> sums(Payout payout) {
    return jdbc.sql(MANIFESTS).param("outcomes", payout.outcomes()).query(PayoutSum.class).list();
  }

  /**
   * Reads every member that has a transfer, in order of member and currency.
   *
   * @throws IllegalStateException after the last line, if they do not add up to the manifests
   */
  public void each(Payout payout, Consumer<PayoutLine> line) {
    each(payout, slices(payout.outcomes(), Outcomes.MAX_OWN_TABLES_PER_STATEMENT), line);
  }

  /**
   * Whether a payout is too big for pages: it has too many transfers, or more big outcomes than one
   * statement may read.
   *
   * @param sums of the payout
   */
  public static boolean isWholeOnly(Payout payout, List<PayoutSum> sums) {
    BigDecimal transfers =
        sums.stream().map(PayoutSum::transfers).reduce(BigDecimal.ZERO, BigDecimal::add);
    return transfers.compareTo(BigDecimal.valueOf(MAX_TRANSFERS_IN_PAGES)) > 0
        || payout.outcomes().stream().filter(outcome -> outcome > 0).count()
            > Outcomes.MAX_OWN_TABLES_PER_STATEMENT;
  }

  /**
   * Some lines, in order of member and currency.
   *
   * @param member only lines after this member's in this currency; empty for the first ones
   */
  public List<PayoutLine> page(Payout payout, String member, String currency, int most) {
    return jdbc.sql(PAGE)
        .param("outcomes", payout.outcomes())
        .param("member", member)
        .param("currency", currency)
        .param("most", most)
        .query(LINE)
        .list();
  }

  /** One slice for all outcomes that share tables, and further ones for those with own tables. */
  static List<List<Integer>> slices(List<Integer> outcomes, int most) {
    var slices = new ArrayList<List<Integer>>();
    slices.add(outcomes.stream().filter(outcome -> outcome < 0).toList());
    List<Integer> own = outcomes.stream().filter(outcome -> outcome > 0).toList();
    slices.addAll(Outcomes.slices(own, most));
    slices.removeIf(List::isEmpty);
    return slices;
  }

  void each(Payout payout, List<List<Integer>> slices, Consumer<PayoutLine> line) {
    var control = new Control(line);
    if (slices.size() == 1) {
      transaction.executeWithoutResult(
          status ->
              sums(jdbc, "", slices.get(0), IN_ORDER)
                  .withFetchSize(OwnConnection.ROWS_PER_FETCH)
                  .query(
                      row -> {
                        control.accept(LINE.mapRow(row, 0));
                      }));
    } else {
      join(slices, control);
    }
    control.requireEqual(payout, sums(payout));
  }

  private static StatementSpec sums(
      JdbcClient jdbc, String insert, List<Integer> outcomes, String order) {
    return jdbc.sql(insert + SELECT_SUMS + BY_MEMBER + order).param("outcomes", outcomes);
  }

  /** Keeps the sums of each slice, because a member's line may need all of them. */
  private void join(List<List<Integer>> slices, Consumer<PayoutLine> line) {
    OwnConnection.with(
        database,
        CREATE_PARTS,
        "drop table payout_part",
        own -> {
          slices.forEach(
              slice -> sums(own.jdbc(), "insert into payout_part\n", slice, "").update());
          own.each(own.jdbc().sql(JOIN_PARTS), row -> line.accept(LINE.mapRow(row, 0)));
          return true;
        });
  }

  /** Adds up the lines that it passes on. */
  private static final class Control implements Consumer<PayoutLine> {
    private final Consumer<PayoutLine> line;
    private final Map<String, PayoutSum> sums = new TreeMap<>();

    Control(Consumer<PayoutLine> line) {
      this.line = line;
    }

    @Override
    public void accept(PayoutLine next) {
      line.accept(next);
      sums.merge(
          next.currency(),
          new PayoutSum(
              next.currency(),
              BigDecimal.valueOf(next.transfers()),
              BigDecimal.valueOf(next.paid()),
              BigDecimal.valueOf(next.takenBack())),
          (one, other) ->
              new PayoutSum(
                  one.currency(),
                  one.transfers().add(other.transfers()),
                  one.paid().add(other.paid()),
                  one.takenBack().add(other.takenBack())));
    }

    void requireEqual(Payout payout, List<PayoutSum> manifests) {
      var written = List.copyOf(sums.values());
      if (!written.equals(manifests)) {
        throw new IllegalStateException(
            "the payout of %s adds up to %s, and its manifests to %s: verify, and do not use it"
                .formatted(payout.reference(), written, manifests));
      }
    }
  }
}
