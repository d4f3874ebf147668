package palmares.ledger;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.bulk.Abreast;
import palmares.bulk.OwnTables;

/** Posts payments exactly once, a batch at a time. */
@Component
public class Ledger {
  private static final String TRANSFER = "transfer";
  private static final String ENTRY = "entry";
  private static final String PAYABLE = "payable";
  private static final String FROM = "from";
  private static final String TO = "to";

  /** One of so many members is looked at to find where a posting is cut. */
  private static final int NTH = 500;

  private final JdbcClient jdbc;
  private final OwnTables own;
  private final Clock clock;

  Ledger(JdbcClient jdbc, OwnTables own, Clock clock) {
    this.jdbc = jdbc;
    this.own = own;
    this.clock = clock;
  }

  /**
   * Posts what of the batch is not posted yet. A payment whose key is there with the same content
   * is done already, and that is success.
   *
   * @throws LedgerMismatch if a key is there with other content, or the ledger holds a transfer of
   *     this batch that is not payable; the transaction must roll back
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Posted post(Posting posting) {
    open(FROM, posting);
    open(TO, posting);
    String book =
        LedgerSql.BOOK.formatted(TRANSFER, ENTRY, LedgerSql.UNLESS_THERE, LedgerSql.WITHIN, "");
    return check(posting, run(book, posting) / 2);
  }

  /**
   * Makes room for the many payments of a first revision, in tables of the period's own, and opens
   * the accounts that they come from. What is written there is not paid before {@link #join}: a
   * posting that breaks off is begun anew.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void begin(Posting posting) {
    long period = posting.period();
    if (own.joined(TRANSFER, period)) {
      throw new LedgerMismatch("the payments of period %d are posted already".formatted(period));
    }
    own.begin(TRANSFER, period);
    own.begin(ENTRY, period);
    openPayers(posting);
  }

  /** By a query that PostgreSQL may do in parallel, as it does none that writes. */
  private void openPayers(Posting posting) {
    jdbc.sql(LedgerSql.PAYERS)
        .params(params(posting))
        .query()
        .listOfRows()
        .forEach(payer -> jdbc.sql(LedgerSql.OPEN_ONE).params(payer).update());
  }

  /** Whether somebody is to be paid who has no account yet. */
  @Transactional(propagation = Propagation.MANDATORY)
  public boolean paysStrangers(Posting posting) {
    return jdbc.sql(LedgerSql.STRANGERS).params(params(posting)).query(Boolean.class).single();
  }

  /** Opens the accounts of those in a range who have none yet. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void open(Posting posting) {
    open(TO, posting);
  }

  private void open(String side, Posting posting) {
    run(LedgerSql.OPEN.formatted(side), posting);
  }

  /** Writes a range of the payments, to accounts; several may be written side by side. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void write(Posting posting) {
    run(
        LedgerSql.BOOK.formatted(
            OwnTables.name(TRANSFER, posting.period()),
            OwnTables.name(ENTRY, posting.period()),
            "",
            LedgerSql.WITHIN,
            LedgerSql.PAYEES),
        posting);
  }

  /**
   * Posts all that was written, at once.
   *
   * @throws LedgerMismatch if it is not what is payable; the transaction must roll back
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Posted join(Posting posting) {
    long period = posting.period();
    own.join(TRANSFER, period);
    own.join(ENTRY, period, ids(OwnTables.name(TRANSFER, period)));
    long written = count(OwnTables.name(TRANSFER, period), posting);
    return check(posting, written);
  }

  private String ids(String transfers) {
    return jdbc.sql(
            """
            select format(
              'transfer_id between %%s and %%s', coalesce(min(id), 0), coalesce(max(id), 0))
            from %s
            """
                .formatted(transfers))
        .query(String.class)
        .single();
  }

  /**
   * Cuts a posting into ranges of about as many members each.
   *
   * @param size payments of a range at most, or little more
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<Posting> slices(Posting posting, int size) {
    int most = Abreast.pieces(count(PAYABLE, posting), size);
    List<String> sample =
        jdbc.sql(
                """
                select distinct member from payable
                where %s and mod(hashtext(member), :nth) = 0
                order by member
                """
                    .formatted(LedgerSql.WITHIN))
            .params(params(posting))
            .param("nth", NTH)
            .query(String.class)
            .list();
    var slices = new ArrayList<Posting>();
    String after = null;
    for (int i = 1; i < most && sample.size() >= most; i++) {
      String upTo = sample.get(i * sample.size() / most);
      slices.add(posting.within(after, upTo));
      after = upTo;
    }
    slices.add(posting.within(after, null));
    return slices;
  }

  /**
   * Holds what the ledger has of the batch against all that is payable.
   *
   * @throws LedgerMismatch if they differ
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Posted check(Posting posting) {
    return check(posting, 0);
  }

  /** Where all that is there was posted from what is payable a moment ago, counting is enough. */
  private Posted check(Posting posting, long fresh) {
    long transfers = count("transfer", posting);
    if (transfers != fresh || count(PAYABLE, posting) != fresh) {
      requireEqual(posting);
    }
    return new Posted(transfers);
  }

  private void requireEqual(Posting posting) {
    long unequal = jdbc.sql(LedgerSql.UNEQUAL).params(params(posting)).query(Long.class).single();
    if (unequal > 0) {
      throw new LedgerMismatch(
          ("%d payments of period %d, revision %d, differ from what the ledger holds under their"
                  + " keys; nothing was posted: compare the views payable and account_statement")
              .formatted(unequal, posting.period(), posting.revision()));
    }
  }

  private long count(String what, Posting posting) {
    return jdbc.sql("select count(*) from %s where %s".formatted(what, LedgerSql.WITHIN))
        .params(params(posting))
        .query(Long.class)
        .single();
  }

  private int run(String sql, Posting posting) {
    return jdbc.sql(sql).params(params(posting)).update();
  }

  private Map<String, @Nullable Object> params(Posting posting) {
    var params = new HashMap<String, @Nullable Object>();
    params.put("period", posting.period());
    params.put("revision", posting.revision());
    params.put("fence", posting.fence());
    params.put("after", posting.after());
    params.put("upTo", posting.upTo());
    params.put("now", clock.instant().atOffset(ZoneOffset.UTC));
    return params;
  }
}
