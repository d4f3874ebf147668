package palmares.cli;

import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.LedgerResource;
import palmares.api.ops.PeriodResource;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.Session;
import palmares.cli.output.Output;
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
  private static final LaunchOptions LAUNCH = LaunchOptions.withoutRedis("ledger");

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
    return Reading.print(
        session, LAUNCH, output, app -> app.get(LedgerResource.class).balances(all));
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
    String word = kind == null ? null : kind.name().toLowerCase(Locale.ROOT);
    return Reading.print(
        session,
        LAUNCH,
        output,
        app -> app.get(LedgerResource.class).account(name, word, currency, null, null, count));
  }

  /** The owner of an account. */
  enum Kind {
    HOUSE,
    MEMBER,
    DEBT
  }

  @Command(name = "period", description = "What a period moved, by revision, purpose and rule.")
  int period(@Mixin PeriodArgument target, @Mixin Output output) throws IOException {
    return Reading.print(
        session,
        LAUNCH,
        output,
        app -> app.get(PeriodResource.class).transfers(target.board(), target.period()));
  }
}
