package palmares.cli;

import org.jspecify.annotations.Nullable;
import palmares.cli.output.Sheet;
import palmares.report.Books.BalanceLine;
import palmares.report.Books.MovedLine;
import palmares.report.Books.StatementLine;

/** The columns of what is read of the ledger. */
final class LedgerSheets {
  static final Sheet<BalanceLine> BALANCES =
      new Sheet<BalanceLine>()
          .text("kind", BalanceLine::kind)
          .text("account", LedgerSheets::account)
          .text("currency", BalanceLine::currency)
          .number("accounts", BalanceLine::accounts)
          .number("balance", BalanceLine::balance);

  static final Sheet<StatementLine> STATEMENT =
      new Sheet<StatementLine>()
          .text("posted_at", StatementLine::postedAt)
          .text("kind", StatementLine::kind)
          .text("currency", StatementLine::currency)
          .text("board", StatementLine::board)
          .text("period", StatementLine::period)
          .number("revision", StatementLine::revision)
          .text("rule", StatementLine::rule)
          .text("purpose", StatementLine::purpose)
          .text("other_kind", StatementLine::otherKind)
          .text("other_account", StatementLine::otherAccount)
          .number("amount", StatementLine::amount)
          .number("balance", StatementLine::balance);

  static final Sheet<MovedLine> MOVED =
      new Sheet<MovedLine>()
          .number("revision", MovedLine::revision)
          .text("purpose", MovedLine::purpose)
          .text("rule", MovedLine::rule)
          .text("currency", MovedLine::currency)
          .number("transfers", MovedLine::transfers)
          .number("amount", MovedLine::amount);

  private LedgerSheets() {}

  private static @Nullable String account(BalanceLine line) {
    return line.account() == null ? "(all)" : line.account();
  }
}
