package palmares.cli;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.output.Output;
import palmares.cli.terminal.UserError;
import palmares.operations.report.LedgerReport;
import palmares.operations.report.LedgerReport.MovedLine;
import palmares.operations.report.PeriodHistory;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.form.Suggestion;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads the ledger. */
@Command(
    name = "ledger",
    description = {
      "Shows the ledger: its trial balance, an account's statement, or what a period moved.",
      "",
      "Accounts are houses' (rewards:BOARD, write-offs:BOARD), members', and what members owe"
          + " (debt). An amount below zero left the account."
    },
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all is shown",
      "1:the result could not be written",
      "2:bad usage, or an unknown account, board or period"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  palmares ledger balance",
      "  palmares ledger account ann --kind member",
      "  palmares ledger account rewards:invites --format csv --out invites.csv",
      "  palmares ledger period invites 2026-W47"
    })
final class LedgerCommand {
  private static final LaunchOptions LAUNCH = LaunchOptions.of("ledger");
  private static final int MOST_IN_TABLE = 100;

  private final Session session;

  @Spec private CommandSpec spec = CommandSpec.create();

  LedgerCommand(Session session) {
    this.session = session;
  }

  @Command(
      name = "balance",
      description = {
        "The trial balance: every account's balance, added up from the posted payments. Both"
            + " entries of a transfer are one stored row, so that each currency sums to zero;"
            + " 'palmares verify' shows that the payments are the right ones."
      },
      sortOptions = false)
  int balance(
      @Option(names = "--all", description = "Each member's and each debt by itself.") boolean all,
      @Mixin Output output)
      throws IOException {
    var sums = new TreeMap<String, BigDecimal>();
    try (RunningApplication app = session.start(LAUNCH, session.boards())) {
      LedgerReport ledgerReport = app.get(LedgerReport.class);
      output.write(
          session,
          writer ->
              LedgerColumns.BALANCES.write(
                  output,
                  writer,
                  "no accounts",
                  row ->
                      ledgerReport.balances(
                          all,
                          line -> {
                            sums.merge(line.currency(), line.balance(), BigDecimal::add);
                            row.accept(line);
                          })));
    }
    sums.forEach(
        (currency, sum) ->
            session.terminal().note("%s: all balances sum to %s".formatted(currency, sum)));
    return 0;
  }

  @Command(
      name = "account",
      description = "The statement of an account, line by line, with its balance after each.",
      sortOptions = false)
  int account(
      @Parameters(paramLabel = "NAME", description = "A member's id, or a house's account.")
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
              description = "Only the last N lines (default: 100 in a table, else all of them).")
          @Nullable Integer count,
      @Mixin Output output)
      throws IOException {
    if (count != null && count < 1) {
      throw new ParameterException(spec.commandLine(), "--count is 1 or more, not " + count);
    }
    var account = new LedgerReport.Account(name, kind == null ? null : kind.word(), currency);
    try (RunningApplication app = session.start(LAUNCH, session.boards())) {
      LedgerReport ledgerReport = app.get(LedgerReport.class);
      long lines = ledgerReport.lines(account);
      if (lines == 0 && !isKnownMember(app, account)) {
        throw unknown(ledgerReport, account);
      }
      long skip = Math.max(0, lines - output.most(count, MOST_IN_TABLE));
      output.write(
          session,
          writer ->
              LedgerColumns.STATEMENT.write(
                  output, writer, "no lines", row -> ledgerReport.statement(account, skip, row)));
      if (skip > 0) {
        session
            .terminal()
            .note("%s earlier lines are left out: --count N".formatted(DisplayFormat.number(skip)));
      }
    }
    return 0;
  }

  /** A member that was never paid has an account without lines. */
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

  /** Whose an account is. */
  enum Kind {
    HOUSE,
    MEMBER,
    DEBT;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static UserError unknown(LedgerReport ledgerReport, LedgerReport.Account account) {
    return UserError.badInput(
        "the ledger has no %saccount '%s'%s%s: nothing was ever posted to it; 'palmares ledger"
                .formatted(
                    account.kind() == null ? "" : account.kind() + "'s ",
                    account.name(),
                    account.currency() == null ? "" : " in " + account.currency(),
                    Suggestion.hint(account.name(), ledgerReport.houses()))
            + " balance' lists the houses'");
  }

  @Command(
      name = "period",
      description = "What a period moved, by revision, purpose and rule.",
      sortOptions = false)
  int period(
      @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.") String board,
      @Parameters(index = "1", paramLabel = "PERIOD", description = "The period's name.")
          String period,
      @Mixin Output output)
      throws IOException {
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LAUNCH, boards)) {
      PeriodHistory history = app.get(PeriodHistory.class);
      var names = new ArgumentLookup(boards, history);
      BoardId id = names.board(board);
      PeriodName name =
          ArgumentLookup.name(period)
              .filter(word -> history.find(id, word).isPresent())
              .orElseThrow(() -> names.unknownPeriod(id, period));
      List<MovedLine> lines = app.get(LedgerReport.class).period(id, name);
      output.write(
          session,
          writer -> LedgerColumns.MOVED.write(output, writer, "no transfers", lines::forEach));
      sums(lines).forEach(session.terminal()::note);
    }
    return 0;
  }

  /** What came of it for members, by currency. */
  private static List<String> sums(List<MovedLine> lines) {
    Map<String, Map<String, BigDecimal>> sums = new LinkedHashMap<>();
    for (MovedLine line : lines) {
      sums.computeIfAbsent(line.currency(), currency -> new TreeMap<>())
          .merge(line.purpose(), line.amount(), BigDecimal::add);
    }
    var told = new ArrayList<String>();
    sums.forEach(
        (currency, by) -> {
          BigDecimal awarded = by.getOrDefault("award", BigDecimal.ZERO);
          BigDecimal taken = by.getOrDefault("return", BigDecimal.ZERO);
          told.add(
              "%s: members got %s and gave back %s, so they keep %s"
                  .formatted(currency, awarded, taken, awarded.subtract(taken)));
        });
    return told;
  }
}
