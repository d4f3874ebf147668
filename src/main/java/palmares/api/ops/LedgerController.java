package palmares.api.ops;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.ops.Listing.Body;
import palmares.operations.report.LedgerReport;
import palmares.operations.report.LedgerReport.BalanceLine;
import palmares.operations.report.LedgerReport.Position;
import palmares.operations.report.LedgerReport.StatementLine;
import palmares.operations.report.Statements.Account;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.Refusal;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Next;
import palmares.rules.board.MemberId;

@RestController
class LedgerController implements LedgerResource {
  private static final int MAX_LINES_IN_TABLE = 100;
  private static final String MEMBER = "member";
  private static final String NO_LINES = "entries";
  private static final String NO_ACCOUNTS = "accounts";
  private static final int CURSOR_KEYS = 3;
  private static final List<String> KINDS = List.of("house", MEMBER, "debt");

  private static final OutputTable<BalanceLine> BALANCES =
      OutputTable.of(BalanceLine.class)
          .shown("account", line -> line.account() == null ? OutputTable.ALL : line.account())
          .totalsBy("currency");

  private static final OutputTable<StatementLine> STATEMENT = OutputTable.of(StatementLine.class);

  private final LedgerReport ledger;
  private final KnownMembers knownMembers;

  LedgerController(LedgerReport ledger, KnownMembers knownMembers) {
    this.ledger = ledger;
    this.knownMembers = knownMembers;
  }

  @Override
  public Rows<BalanceLine> balances(boolean all) {
    var summary = new ArrayList<BalanceLine>();
    ledger.balances(false, summary::add);
    var sums = new TreeMap<String, BigDecimal>();
    summary.forEach(line -> sums.merge(line.currency(), line.balance(), BigDecimal::add));
    List<PayoutSentences.Balance> notes =
        sums.entrySet().stream()
            .map(sum -> new PayoutSentences.Balance(sum.getKey(), sum.getValue()))
            .toList();
    Rows<BalanceLine> rows =
        all
            ? Listing.streamed(BALANCES, NO_ACCOUNTS, line -> ledger.balances(true, line))
            : Listing.of(BALANCES, NO_ACCOUNTS, summary);
    return rows.noted(notes);
  }

  @Override
  public Rows<StatementLine> account(
      String name,
      @Nullable String kind,
      @Nullable String currency,
      PageRequest page,
      @Nullable Integer last) {
    if (kind != null) {
      Lookup.oneOf("kind", KINDS, kind);
    }
    if (last != null && (last < 1 || !page.equals(PageRequest.FIRST))) {
      throw Lookup.invalid("last", new PayoutSentences.LastAlone());
    }
    var account = new Account(name, kind, currency);
    long lines = ledger.lines(account);
    if (lines == 0 && !isKnownMember(account)) {
      throw unknown(account);
    }
    return page.equals(PageRequest.FIRST)
        ? whole(account, lines, last)
        : Listing.page(
            STATEMENT,
            NO_LINES,
            new PageRequest(
                Objects.requireNonNullElse(page.count(), Listing.DEFAULT_COUNT), page.after()),
            MAX_LINES_IN_TABLE,
            CURSOR_KEYS,
            (cursor, most) -> ledger.page(account, position(cursor), most),
            line -> PageCursor.of(line.entry().kind(), line.entry().currency(), line.number()));
  }

  private static @Nullable Position position(@Nullable PageCursor cursor) {
    return cursor == null ? null : new Position(cursor.key(0), cursor.key(1), cursor.number(2));
  }

  private Rows<StatementLine> whole(Account account, long lines, @Nullable Integer last) {
    return format -> {
      if (format == OutputFormat.TABLE && last != null) {
        Listing.limited(last);
      }
      long skip = Math.max(0, lines - format.limit(last, MAX_LINES_IN_TABLE));
      Body body =
          Listing.streamed(STATEMENT, NO_LINES, line -> ledger.statement(account, skip, line))
              .in(format);
      return skip > 0 && format == OutputFormat.TABLE
          ? body.withNote(new PayoutSentences.EarlierLines(skip))
          : body;
    };
  }

  /** Whether it is the account of a member that was never paid, which has no lines. */
  private boolean isKnownMember(Account account) {
    if (account.currency() != null || account.kind() != null && !account.kind().equals(MEMBER)) {
      return false;
    }
    return MemberId.parse(account.name()).filter(knownMembers::knows).isPresent();
  }

  private Refusal unknown(Account account) {
    return Lookup.unknown(
            new PayoutSentences.NoAccount(
                account.name(),
                account.kind() == null ? null : new PayoutSentences.OfKind(account.kind()),
                account.currency() == null
                    ? null
                    : new PayoutSentences.InCurrency(account.currency()),
                DidYouMean.of(account.name(), ledger.houses())))
        .then(Next.of("ledger"));
  }
}
