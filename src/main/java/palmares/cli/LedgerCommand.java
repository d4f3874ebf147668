package palmares.cli;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Output;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.UserError;
import palmares.operations.report.LedgerReport;
import palmares.operations.report.LedgerReport.BalanceLine;
import palmares.operations.report.LedgerReport.MovedLine;
import palmares.operations.report.LedgerReport.StatementLine;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.form.Suggestion;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the ledger. */
@Command(
    name = "ledger",
    description = {
      "Shows the ledger: its trial balance, the statement of an account, or what a period moved.",
      "",
      "Accounts are those of the house (rewards:BOARD, write-offs:BOARD), of members, and of"
          + " members' debts. An amount below zero left the account."
    },
    synopsisSubcommandLabel = "COMMAND",
    exitCodeList = {
      "0:all is shown",
      "1:the result could not be written",
      "2:bad usage, or an unknown account, board or period"
    },
    footer = {
      "  palmares ledger balance",
      "  palmares ledger account ann --kind member",
      "  palmares ledger account rewards:invites --format csv --out invites.csv",
      "  palmares ledger period invites 2026-W47"
    })
final class LedgerCommand {
  private static final String PURPOSE = "ledger";
  private static final int MAX_LINES_IN_TABLE = 100;

  private static final OutputTable<BalanceLine> BALANCES =
      new OutputTable<BalanceLine>()
          .text("kind", BalanceLine::kind)
          .text("account", line -> line.account() == null ? "(all)" : line.account())
          .text("currency", BalanceLine::currency)
          .number("accounts", BalanceLine::accounts)
          .number("balance", BalanceLine::balance);

  private static final OutputTable<StatementLine> STATEMENT =
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

  private static final OutputTable<MovedLine> MOVED =
      new OutputTable<MovedLine>()
          .number("revision", MovedLine::revision)
          .text("purpose", MovedLine::purpose)
          .text("rule", MovedLine::rule)
          .text("currency", MovedLine::currency)
          .number("transfers", MovedLine::transfers)
          .number("amount", MovedLine::amount);

  private final Session session;

  LedgerCommand(Session session) {
    this.session = session;
  }

  @Command(
      name = "balance",
      description = {
        "The trial balance: every account's balance, summed from the posted payments. Both entries"
            + " of a transfer are one stored row, so each currency sums to zero; 'palmares verify'"
            + " checks that the payments are the right ones."
      })
  int balance(
      @Option(names = "--all", description = "A line for each member and each debt.") boolean all,
      @Mixin Output output)
      throws IOException {
    var sums = new TreeMap<String, BigDecimal>();
    try (RunningApplication app = session.startWithoutRedis(PURPOSE, session.boards())) {
      LedgerReport report = app.get(LedgerReport.class);
      output.write(
          session,
          writer ->
              BALANCES.write(
                  output,
                  writer,
                  "no accounts",
                  row ->
                      report.balances(
                          all,
                          line -> {
                            sums.merge(line.currency(), line.balance(), BigDecimal::add);
                            row.accept(line);
                          })));
    }
    sums.forEach((currency, sum) -> session.note("%s: all balances sum to %s", currency, sum));
    return 0;
  }

  @Command(
      name = "account",
      description = "The statement of an account, with its balance after each line.")
  int account(
      @Parameters(paramLabel = "NAME", description = "A member's id, or an account of the house.")
          String name,
      @Option(
              names = "--kind",
              paramLabel = "KIND",
              description = "Only the account of that kind: house, member or debt.")
          @Nullable Kind kind,
      @Option(names = "--currency", paramLabel = "NAME", description = "Only in that currency.")
          @Nullable String currency,
      @Option(
              names = "--count",
              paramLabel = "N",
              description = "Only the last N lines (default: 100 in a table, else all).")
          @Nullable Integer count,
      @Mixin Output output)
      throws IOException {
    if (count != null) {
      Arguments.atLeast(1, "--count", count);
    }
    var account = new LedgerReport.Account(name, kind == null ? null : kind.word(), currency);
    try (RunningApplication app = session.startWithoutRedis(PURPOSE, session.boards())) {
      LedgerReport report = app.get(LedgerReport.class);
      long lines = report.lines(account);
      if (lines == 0 && !isKnownMember(app, account)) {
        throw unknown(report, account);
      }
      long skip = Math.max(0, lines - output.limit(count, MAX_LINES_IN_TABLE));
      output.write(
          session,
          writer ->
              STATEMENT.write(
                  output, writer, "no lines", row -> report.statement(account, skip, row)));
      if (skip > 0) {
        session.note("%,d earlier lines are left out: --count N", skip);
      }
    }
    return 0;
  }

  /** Whether it is the account of a member that was never paid, which has no lines. */
  private static boolean isKnownMember(RunningApplication app, LedgerReport.Account account) {
    if (account.currency() != null
        || account.kind() != null && !account.kind().equals(Kind.MEMBER.word())) {
      return false;
    }
    try {
      return app.get(KnownMembers.class).knows(new MemberId(account.name()));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The owner of an account. */
  enum Kind {
    HOUSE,
    MEMBER,
    DEBT;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static UserError unknown(LedgerReport report, LedgerReport.Account account) {
    return UserError.badInput(
        "the ledger has no %saccount '%s'%s%s: nothing was ever posted to it; 'palmares ledger"
            + " balance' lists the accounts of the house",
        account.kind() == null ? "" : account.kind() + " ",
        account.name(),
        account.currency() == null ? "" : " in " + account.currency(),
        Suggestion.hint(account.name(), report.houses()));
  }

  @Command(name = "period", description = "What a period moved, by revision, purpose and rule.")
  int period(
      @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.") String board,
      @Parameters(index = "1", paramLabel = "PERIOD", description = PeriodArgument.NAME)
          String period,
      @Mixin Output output)
      throws IOException {
    Catalogue boards = session.boards();
    try (RunningApplication app = session.startWithoutRedis(PURPOSE, boards)) {
      var arguments = new Arguments(boards, app);
      BoardId id = arguments.board(board);
      PeriodName name = arguments.summary(id, period).name();
      List<MovedLine> lines = app.get(LedgerReport.class).period(id, name);
      output.write(session, writer -> MOVED.write(output, writer, "no transfers", lines::forEach));
      noteSums(lines);
    }
    return 0;
  }

  private void noteSums(List<MovedLine> lines) {
    Map<String, Map<String, BigDecimal>> sums = new LinkedHashMap<>();
    for (MovedLine line : lines) {
      sums.computeIfAbsent(line.currency(), currency -> new TreeMap<>())
          .merge(line.purpose(), line.amount(), BigDecimal::add);
    }
    sums.forEach(
        (currency, byPurpose) -> {
          BigDecimal awarded = byPurpose.getOrDefault("award", BigDecimal.ZERO);
          BigDecimal taken = byPurpose.getOrDefault("return", BigDecimal.ZERO);
          session.note(
              "%s: members got %s and gave back %s, so they keep %s",
              currency, awarded, taken, awarded.subtract(taken));
        });
  }
}
