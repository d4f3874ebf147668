package palmares.cli;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.LedgerResource;
import palmares.api.ops.Listing;
import palmares.api.ops.PageRequest;
import palmares.api.ops.PayoutResource;
import palmares.api.ops.PeriodResource;
import palmares.cli.terminal.CommandSentences.NameOneOf;
import palmares.cli.terminal.CommandSentences.Needs;
import palmares.cli.terminal.CommandSentences.RangeTakesNo;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the ledger. */
@Command(
    name = "ledger",
    description = {
      "Shows the ledger: its trial balance, the statement of an account, what a period moved, or"
          + " what is to pay out to each member.",
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
      "  palmares ledger period invites 2026-W47",
      "  palmares ledger payout invites 2026-W47 --format csv --out payout.csv",
      "  palmares ledger payout --month 2026-11 --format xlsx --out payout.xlsx"
    })
final class LedgerCommand extends ApiCommand {
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
    return print(output, LedgerResource.class, ledger -> ledger.balances(all));
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
    Arguments.atLeast(1, "--count", count);
    String word = kind == null ? null : kind.name().toLowerCase(Locale.ROOT);
    return print(
        output,
        LedgerResource.class,
        ledger -> ledger.account(name, word, currency, PageRequest.FIRST, count));
  }

  /** The owner of an account. */
  enum Kind {
    HOUSE,
    MEMBER,
    DEBT
  }

  @Command(name = "period", description = "What a period moved, by revision, purpose and rule.")
  int period(@Mixin PeriodArgument target, @Mixin Output output) throws IOException {
    return print(
        output,
        PeriodResource.class,
        periods -> periods.transfers(target.board(), target.period()));
  }

  @Command(
      name = "payout",
      description = {
        "What was posted for each member, summed by currency: of a settled period, of the periods"
            + " of a board that start in a range, or of all boards in a month.",
        "",
        "Net is what the member got less what it gave back; below zero, it gave back more. A member"
            + " is left out only if nothing was posted for it. The reference of a line is the same"
            + " whenever the file is made. If an amendment is posted later, the sums under a"
            + " reference change: pay the difference, or ask for the amendment by --revision. The"
            + " payout of a month counts what was posted in it, and never changes after it."
      },
      customSynopsis = {
        "palmares ledger payout [OPTIONS] BOARD PERIOD [--revision N]",
        "   or: palmares ledger payout [OPTIONS] BOARD [--from DATE] [--to DATE]",
        "   or: palmares ledger payout [OPTIONS] --month MONTH [--zone ZONE]"
      })
  int payout(@Mixin PayoutOptions target, @Mixin Output output) throws IOException {
    target.check();
    return print(output, PayoutResource.class, payouts -> target.read(payouts));
  }

  /** Says what a payout file is about. */
  static final class PayoutOptions {
    @Parameters(index = "0", arity = "0..1", paramLabel = "BOARD", description = "The board's id.")
    private @Nullable String board;

    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "PERIOD",
        description = PeriodArgument.NAME)
    private @Nullable String period;

    @Option(
        names = "--revision",
        paramLabel = "N",
        description = "Only what this revision of the period posted.")
    private @Nullable Integer revision;

    @Mixin private StartRange range = new StartRange();

    @Option(
        names = "--month",
        paramLabel = "MONTH",
        description = "What was posted in that month, such as 2026-11.")
    private @Nullable String month;

    @Option(
        names = "--zone",
        paramLabel = "ZONE",
        description = "The time zone of the month's boundaries (default: UTC).")
    private @Nullable String zone;

    @Option(
        names = "--count",
        paramLabel = "N",
        description = "The number of lines of a table (default: 100); other formats have all.")
    private @Nullable Integer count;

    void check() {
      if ((month != null) == (board != null)) {
        throw UserError.badUsage(NameOneOf.of("BOARD", "--month MONTH"));
      }
      if (range.isGiven() && (period != null || month != null)) {
        throw UserError.badUsage(new RangeTakesNo(List.of("PERIOD", "--month")));
      }
      if (revision != null && period == null) {
        throw UserError.badUsage(Needs.of("--revision", "BOARD", "PERIOD"));
      }
      if (zone != null && month == null) {
        throw UserError.badUsage(Needs.of("--zone", "--month"));
      }
      Arguments.atLeast(1, "--count", count);
    }

    Listing read(PayoutResource payouts) {
      if (board == null) {
        return payouts.month(String.valueOf(month), zone == null ? "UTC" : zone, count);
      }
      return period == null
          ? payouts.board(board, range.from(), range.to(), count)
          : payouts.period(board, period, revision, count);
    }
  }
}
