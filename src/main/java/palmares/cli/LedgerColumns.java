package palmares.cli;

import org.jspecify.annotations.Nullable;
import palmares.cli.output.OutputTable;
import palmares.operations.report.LedgerReport.BalanceLine;
import palmares.operations.report.LedgerReport.MovedLine;
import palmares.operations.report.LedgerReport.StatementLine;

/** The columns of what is read of the ledger. */
final class LedgerColumns {
  static final OutputTable<BalanceLine> BALANCES =
      new OutputTable<BalanceLine>()
          .text("kind", BalanceLine::kind)
          .text("account", LedgerColumns::account)
          .text("currency", BalanceLine::currency)
          .number("accounts", BalanceLine::accounts)
          .number("balance", BalanceLine::balance);

  static final OutputTable<StatementLine> STATEMENT =
      new OutputTable<StatementLine>()
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

  static final OutputTable<MovedLine> MOVED =
      new OutputTable<MovedLine>()
          .number("revision", MovedLine::revision)
          .text("purpose", MovedLine::purpose)
          .text("rule", MovedLine::rule)
          .text("currency", MovedLine::currency)
          .number("transfers", MovedLine::transfers)
          .number("amount", MovedLine::amount);

  private LedgerColumns() {}

  private static @Nullable String account(BalanceLine line) {
    return line.account() == null ? "(all)" : line.account();
  }
}
