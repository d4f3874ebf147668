package palmares.settlement.outbox;

import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.settlement.outbox.FactBatch.TransferKey;
import palmares.settlement.wallet.AwardKey;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Builds facts from rows that never change, so that a fact is the same in each delivery. */
@Component
class FactData {
  /**
   * Names the purpose of a transfer, with its number in the table of payments. Each has a type of
   * fact, so that a receiver that pays on award.paid alone pays correctly.
   */
  private enum Purpose {
    AWARD(1, "award", "award.paid"),
    RETURN(2, "return", "award.returned"),
    DEBT(3, "debt", "award.owed"),
    WRITE_OFF(4, "write-off", "award.written-off"),
    RESTORED(5, "restored", "award.restored");

    private final int number;
    private final String word;
    private final String type;

    Purpose(int number, String word, String type) {
      this.number = number;
      this.word = word;
      this.type = type;
    }

    static Purpose numbered(int number) {
      return Stream.of(values())
          .filter(purpose -> purpose.number == number)
          .findAny()
          .orElseThrow(() -> new IllegalArgumentException("no purpose has the number " + number));
    }
  }

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

  private final JdbcClient jdbc;

  FactData(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  record Part(TransferKey key, Fact fact) {}

  Fact of(Row row) {
    return new Fact(
        row.id(),
        row.type(),
        row.at().toString(),
        row.board(),
        row.period(),
        row.revision(),
        row.data() == null ? posted(row) : JSON.readValue(row.data(), MAP));
  }

  /** Reads what a posted revision is, with the sums of its transfers. */
  private Map<String, Object> posted(Row row) {
    var data = new LinkedHashMap<String, Object>();
    jdbc.sql(
            """
            select
              period.starts_at as "startsAt",
              period.ends_at as "endsAt",
              coalesce(
                (select place from standing where outcome = :outcome order by place desc limit 1),
                0) as members,
              link.manifest_hash as manifest,
              link.n as link,
              link.hash as "linkHash",
              link.audit_link as "auditLink",
              link.audit_hash as "auditLinkHash",
              revision.base
            from revision
            join period on period.id = revision.period_id
            left join manifest_link link
              on link.period_id = revision.period_id and link.revision = revision.revision
            where revision.id = :outcome
            """)
        .param("outcome", row.outcome())
        .query()
        .singleRow()
        .forEach(
            (name, value) -> {
              if (value != null) {
                data.put(
                    name, value instanceof Timestamp time ? time.toInstant().toString() : value);
              }
            });
    data.put("transfers", row.transfers());
    data.put("sums", sums(row));
    return data;
  }

  private Map<String, Map<String, Object>> sums(Row row) {
    var sums = new TreeMap<String, Map<String, Object>>();
    jdbc.sql(
            """
            select purpose, currency, sum(amount) as amount
            from transfer
            where outcome = :outcome
            group by purpose, currency
            """)
        .param("outcome", row.outcome())
        .query(PurposeSum.class)
        .list()
        .forEach(
            sum ->
                sums.computeIfAbsent(sum.purpose(), purpose -> new TreeMap<>())
                    .put(sum.currency(), sum.amount()));
    return sums;
  }

  private record PurposeSum(String purpose, String currency, BigDecimal amount) {}

  /**
   * Reads the next transfers of a fact, after one of them. The page is read along the unique index
   * of payments and joined afterwards, so that a million transfers are never sorted.
   */
  List<Part> transfers(Row row, TransferKey after, int limit) {
    List<Transfer> page =
        jdbc.sql(
                """
                select
                  page.member, page.rule, page.purpose, page.amount, page.posted_at, prize.name,
                  prize.currency
                from (
                  select member, rule, purpose, amount, posted_at
                  from posted_payment
                  where outcome = :outcome
                    and (member, rule, purpose) > (:member, :rule, :purpose)
                  order by member, rule, purpose
                  limit :limit
                ) page
                join prize on prize.outcome = :outcome and prize.rule = page.rule
                order by page.member, page.rule, page.purpose
                """)
            .param("outcome", row.outcome())
            .param("member", after.member())
            .param("rule", after.rule())
            .param("purpose", after.purpose())
            .param("limit", limit)
            .query(Transfer.class)
            .list();
    return page.stream().map(transfer -> part(row, transfer)).toList();
  }

  /** Reads the facts of some awards or returns of a posted revision, as always delivered. */
  List<Fact> awards(int outcome, List<Integer> rules, List<String> members) {
    return jdbc
        .sql(
            """
            select
              paid.member, paid.rule, paid.purpose, paid.amount, paid.posted_at, prize.name,
              prize.currency, period.board, period.name as period, paid.revision
            from posted_payment paid
            join period on period.id = paid.period_id
            join prize on prize.outcome = :outcome and prize.rule = paid.rule
            where paid.outcome = :outcome and paid.purpose in (1, 2)
              and (paid.rule, paid.member) in (
                select rule, member collate "C"
                from unnest(:rules::int[], :members::text[]) as asked (rule, member))
            order by paid.member, paid.rule
            """)
        .param("outcome", outcome)
        .param("rules", rules)
        .param("members", members)
        .query(Award.class)
        .list()
        .stream()
        .map(award -> fact(award.board(), award.period(), award.revision(), award.transfer()))
        .toList();
  }

  private record Award(String board, String period, int revision, Transfer transfer) {}

  private record Transfer(
      String member,
      int rule,
      int purpose,
      long amount,
      Instant postedAt,
      String name,
      String currency) {}

  private static Part part(Row row, Transfer found) {
    return new Part(
        new TransferKey(found.member(), found.rule(), found.purpose()),
        fact(row.board(), row.period(), row.revision(), found));
  }

  private static Fact fact(
      @Nullable String board, @Nullable String period, @Nullable Integer revision, Transfer found) {
    Purpose purpose = Purpose.numbered(found.purpose());
    String transfer =
        AwardKey.join(
            String.valueOf(board),
            String.valueOf(period),
            String.valueOf(revision),
            found.member(),
            found.name(),
            found.currency(),
            purpose.word);
    var data = new LinkedHashMap<String, Object>();
    data.put("transfer", transfer);
    data.put("member", found.member());
    data.put("rule", found.name());
    data.put("amount", found.amount());
    data.put("currency", found.currency());
    return new Fact(
        purpose.type + ":" + transfer,
        purpose.type,
        found.postedAt().toString(),
        board,
        period,
        revision,
        data);
  }

  /**
   * A fact's row.
   *
   * @param outcome the posted revision that it is about; null if there is none
   * @param data what it says as JSON; null if that is read from the outcome
   * @param traceparent names the span that stored it; null if it was not traced
   * @param parts the fact and those of its transfers that are wanted
   * @param transfers all of its transfers
   */
  record Row(
      long n,
      String type,
      String subject,
      Instant at,
      @Nullable String board,
      @Nullable String period,
      @Nullable Integer revision,
      @Nullable Integer outcome,
      @Nullable String data,
      @Nullable String traceparent,
      long parts,
      long transfers) {
    String id() {
      return type + ":" + subject;
    }
  }
}
