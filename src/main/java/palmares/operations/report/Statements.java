package palmares.operations.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.platform.sql.RecordMapper;
import palmares.platform.text.Choice;

/**
 * Reads the entries of accounts, account by account, in the order in which postings committed. Each
 * query reads a few outcomes and ends its transaction: posted rows never change, and a long history
 * is never locked as a whole.
 */
@Component
public class Statements {
  private static final String HOUSE = "house";

  private static final String ENTRIES =
      """
      select kind, currency, posted_at, board, period, revision, rule, purpose, other_kind,
        other_account, amount, rule_number, purpose_number, outcome, null::text as received
      from account_statement
      where kind = coalesce(:kind, kind) and currency = coalesce(:currency, currency)
      """;

  private static final String OF_HOUSE = "and outcome = :outcome and account = :name ";

  /** Adds the number of the outcome's link, which says when it committed. */
  private static final String OF_MEMBER =
      """
      select entry.kind, entry.currency, entry.posted_at, entry.board, entry.period,
        entry.revision, entry.rule, entry.purpose, entry.other_kind, entry.other_account,
        entry.amount, entry.rule_number, entry.purpose_number, entry.outcome,
        case when entry.kind = 'member' and entry.purpose in ('award', 'return')
          then coalesce(
          -- A list is better evidence than what the wallet said of the award before.
          (select kind from wallet_finding finding
            where finding.outcome = entry.outcome and finding.rule = entry.rule_number
              and finding.member = :name collate "C"
              and finding.kind in ('missing', 'twice', 'amount', 'currency')
              and closed_at is null
            order by id desc
            limit 1),
          (select result from receipt
            where receipt.outcome = entry.outcome and receipt.rule = entry.rule_number
              and receipt.member = :name collate "C"
            order by n desc
            limit 1),
          (select kind from wallet_finding finding
            where finding.outcome = entry.outcome and finding.rule = entry.rule_number
              and finding.member = :name collate "C" and finding.kind = 'unconfirmed'
              and closed_at is null),
          (select 'delivered' from delivered_outcome
            where delivered_outcome.outcome = entry.outcome),
          (select 'due' from outbox_target
            where confirms and since <= entry.posted_at
            limit 1)) end as received,
        coalesce(link.n, %s) as link
      from (
        %s
          and member = :name and kind <> 'house' and %%s
      ) entry
      join revision whole on whole.id = entry.outcome
      left join manifest_link link
        on link.period_id = whole.period_id and link.revision = whole.revision
      """
          .formatted(Long.MAX_VALUE, ENTRIES);

  private static final RowMapper<Entry> ENTRY = RecordMapper.of(Entry.class);

  private static final Comparator<Linked> BY_ACCOUNT =
      Comparator.<Linked, String>comparing(linked -> linked.entry().kind())
          .thenComparing(linked -> linked.entry().currency())
          .thenComparing(Linked::link)
          .thenComparing(linked -> linked.entry().board())
          .thenComparing(linked -> linked.entry().period())
          .thenComparing(linked -> linked.entry().revision())
          .thenComparing(linked -> linked.entry().ruleNumber())
          .thenComparing(linked -> linked.entry().purposeNumber());

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  Statements(JdbcClient jdbc, TransactionTemplate transaction) {
    this.jdbc = jdbc;
    this.transaction = transaction;
  }

  /**
   * Selects accounts by name.
   *
   * @param kind house, member or debt; null for any
   * @param currency null for any
   */
  public record Account(String name, @Nullable String kind, @Nullable String currency) {}

  /** What became of an award, or of its return, in the wallet. */
  public enum Received implements Choice {
    /** It is posted, and not delivered yet. */
    DUE,
    /** It is delivered, and the wallet has said nothing yet. */
    DELIVERED,
    /** The wallet said nothing in time. */
    UNCONFIRMED,
    /** The wallet says that the member has it. */
    CREDITED,
    /** The wallet says that the member has it no longer. */
    RETURNED,
    /** The wallet refused it. */
    REFUSED,
    /** A list of the wallet lacks it, even if the wallet had confirmed it. */
    MISSING,
    /** A list has it more than once. */
    TWICE,
    /** A list has it with another amount. */
    AMOUNT,
    /** A list has it in another currency. */
    CURRENCY
  }

  /**
   * One side of a transfer.
   *
   * @param kind of the account
   * @param otherKind of the account on the other side
   * @param otherAccount the account on the other side
   * @param amount negative if it left the account
   * @param received of an award to a member, or its return: what became of it in the wallet; null
   *     if it is neither, or there is no wallet
   * @param ruleNumber the rule's number in its outcome
   * @param purposeNumber the number by which payments store the purpose
   */
  public record Entry(
      Instant postedAt,
      String kind,
      String currency,
      String board,
      String period,
      int revision,
      String rule,
      String purpose,
      String otherKind,
      String otherAccount,
      long amount,
      @Nullable Received received,
      @JsonIgnore int ruleNumber,
      @JsonIgnore int purposeNumber) {}

  /**
   * An entry of a posted outcome.
   *
   * @param link the number of the outcome in the chain of manifests: numbers grow as transactions
   *     commit, so that a later entry never comes before one that was read
   */
  private record Linked(Entry entry, long link) {}

  /** The number of entries that {@link #each} reads. */
  long count(Account account) {
    long entries = ofMember(account).size();
    for (String currency : currencies(account)) {
      for (int outcome : outcomes(account, currency)) {
        entries +=
            jdbc.sql("select count(*) from (" + ENTRIES + OF_HOUSE + ") entry")
                .param("kind", HOUSE)
                .param("name", account.name())
                .param("currency", currency)
                .param("outcome", outcome)
                .query(Long.class)
                .single();
      }
    }
    return entries;
  }

  /**
   * Reads the entries of all accounts with this name: debt, house, then member.
   *
   * @param isEnough whether no further outcomes need be read
   */
  void each(Account account, BooleanSupplier isEnough, Consumer<Entry> entry) {
    List<Entry> own = ofMember(account);
    own.stream().filter(one -> one.kind().compareTo(HOUSE) < 0).forEach(entry);
    for (String currency : currencies(account)) {
      for (int outcome : outcomes(account, currency)) {
        if (isEnough.getAsBoolean()) {
          return;
        }
        ofHouse(account, currency, outcome, entry);
      }
    }
    own.stream().filter(one -> one.kind().compareTo(HOUSE) > 0).forEach(entry);
  }

  private List<Entry> ofMember(Account account) {
    if (HOUSE.equals(account.kind())) {
      return List.of();
    }
    var entries = new ArrayList<>(ofMember(account, "outcome < 0", List.of()));
    List<Integer> own =
        jdbc.sql("select id from revision where id > 0 and posted_at is not null order by id")
            .query(Integer.class)
            .list();
    for (List<Integer> some : Outcomes.slices(own, Outcomes.MAX_OWN_TABLES_PER_STATEMENT)) {
      entries.addAll(ofMember(account, "outcome = any(:outcomes::int[])", some));
    }
    entries.sort(BY_ACCOUNT);
    return entries.stream().map(Linked::entry).toList();
  }

  private List<Linked> ofMember(Account account, String which, List<Integer> outcomes) {
    return jdbc.sql(OF_MEMBER.formatted(which))
        .param("kind", account.kind())
        .param("currency", account.currency())
        .param("name", account.name())
        .param("outcomes", outcomes)
        .query(Linked.class)
        .list();
  }

  /** The currencies of a house's entries; none if the name is not a house's. */
  private List<String> currencies(Account account) {
    String board = board(account);
    return board == null
        ? List.of()
        : jdbc.sql(
                """
                select distinct prize.currency
                from period
                join revision on revision.period_id = period.id and posted_at is not null
                join prize on prize.outcome = revision.id
                where board = :board and prize.currency = coalesce(:currency, prize.currency)
                order by 1
                """)
            .param("board", board)
            .param("currency", account.currency())
            .query(String.class)
            .list();
  }

  private List<Integer> outcomes(Account account, String currency) {
    return jdbc.sql(
            """
            select revision.id
            from period
            join revision on revision.period_id = period.id and posted_at is not null
            left join manifest_link link
              on link.period_id = revision.period_id and link.revision = revision.revision
            where period.board = :board
              and exists (
                select from prize where outcome = revision.id and prize.currency = :currency)
            order by link.n, period.name, revision.revision
            """)
        .param("board", board(account))
        .param("currency", currency)
        .query(Integer.class)
        .list();
  }

  /** The board of a house's account; null if it is not a house's. */
  private static @Nullable String board(Account account) {
    if (account.kind() == null || account.kind().equals(HOUSE)) {
      for (String prefix : List.of("rewards:", "write-offs:")) {
        if (account.name().startsWith(prefix)) {
          return account.name().substring(prefix.length());
        }
      }
    }
    return null;
  }

  private void ofHouse(Account account, String currency, int outcome, Consumer<Entry> entry) {
    transaction.executeWithoutResult(
        status ->
            jdbc.sql(ENTRIES + OF_HOUSE + "order by member, rule_number, purpose_number")
                .withFetchSize(OwnConnection.ROWS_PER_FETCH)
                .param("kind", HOUSE)
                .param("name", account.name())
                .param("currency", currency)
                .param("outcome", outcome)
                .query(
                    row -> {
                      entry.accept(ENTRY.mapRow(row, 0));
                    }));
  }
}
