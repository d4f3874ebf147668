package palmares.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.WalletResource;
import palmares.api.ops.WalletResource.FindingRequest;
import palmares.api.ops.WalletResource.ReconcileRequest;
import palmares.api.ops.WalletResource.ReturnRequest;
import palmares.cli.terminal.CommandSentences.OnlyWith;
import palmares.cli.terminal.CommandSentences.TakesNo;
import palmares.cli.terminal.CommandSentences.UseOnlyOne;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares a wallet's list with the awards, and acts on the differences. */
@Command(
    name = "reconcile",
    description = {
      "Lists where a wallet differs from the awards that it got: credits that are missing,"
          + " doubled, of another amount or currency, or that were never awarded; awards that it"
          + " refused or did not confirm in time.",
      "",
      "--file compares a list of its credits first: CSV whose first line names the columns, or"
          + " NDJSON. Each credit has the id of the award and the amount, and may have the"
          + " currency. The list must have all awards delivered to the wallet from --from to"
          + " --to; what it confirms is recorded. Nothing is paid or taken back. --fetch reads the"
          + " list from the wallet, at the address that the server has (list.url of its webhook).",
      "",
      "As CSV (--format csv), the list of missing credits is a payout file of these. Accept them"
          + " before you pay, so that they are not sent again."
    },
    exitCodeList = {
      "0:the differences are listed, or it was done",
      "2:bad usage, or a list that is not whole: nothing was changed"
    },
    footer = {
      "  palmares reconcile --file credits.csv --from 2026-11-01 --to 2026-11-30 --reason monthly",
      "  palmares reconcile --kind missing --format csv",
      "  palmares reconcile --resend --kind missing --reason \"the wallet was down\"",
      "  palmares reconcile --return 17 --reason \"the account is closed\"",
      "  palmares reconcile --accept 17 18 --reason \"left to the members\""
    })
final class ReconcileCommand extends ApiCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "ID",
      description = "With --resend, --return and --accept: the numbers of the differences.")
  private List<Long> ids = List.of();

  @Option(names = "--file", paramLabel = "FILE", description = "Compares this list first.")
  private @Nullable Path file;

  @Option(names = "--fetch", description = "Compares the list that the wallet has first.")
  private boolean fetch;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "With --file or --fetch: it has all awards delivered to the wallet from this day"
              + " (2026-11-20) or time on (default: all).")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description =
          "With --file or --fetch: and before this (default: palmares.wallet.confirm-within ago).")
  private @Nullable String to;

  @Option(
      names = "--lines",
      paramLabel = "N",
      description =
          "With --file or --fetch: how many credits it has. A list with others is refused.")
  private @Nullable Long lines;

  @Option(
      names = "--resend",
      description = "Delivers awards again that the wallet may lack, under the same ids.")
  private boolean resend;

  @Option(
      names = "--return",
      description =
          "Prepares that refused awards are returned: excludes their members from the prizes of"
              + " these periods. Then amend for these exclusions, and approve.")
  private boolean returning;

  @Option(names = "--accept", description = "Closes differences as they are, with a reason.")
  private boolean accept;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description =
          "Only differences of this kind: missing, twice, amount, currency, unawarded, refused,"
              + " credited, unconfirmed or answer.")
  private @Nullable String kind;

  @Option(names = "--all", description = "With --resend, --return and --accept: all that are open.")
  private boolean all;

  @Option(names = "--closed", description = "Lists closed differences, too.")
  private boolean closed;

  @Mixin private PageOptions pages = new PageOptions();

  @Mixin private Output output = new Output();

  @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

  @Override
  public Integer call() throws IOException {
    check();
    if (file != null || fetch) {
      String credits = file == null ? null : Arguments.content(file);
      var body = new ReconcileRequest(acting.required(), credits, fetch, from, to, lines);
      return act(acting, WalletResource.class, (wallet, call) -> wallet.reconcile(body, call));
    }
    if (returning) {
      var body = new ReturnRequest(acting.required(), ids.isEmpty() ? null : ids, all);
      return act(acting, WalletResource.class, (wallet, call) -> wallet.returnRefused(body, call));
    }
    if (resend || accept) {
      var body = new FindingRequest(acting.required(), ids.isEmpty() ? null : ids, kind, all);
      return act(
          acting,
          WalletResource.class,
          (wallet, call) -> resend ? wallet.resend(body, call) : wallet.accept(body, call));
    }
    return print(
        output,
        WalletResource.class,
        wallet -> pages.read(page -> wallet.findings(kind, closed, page)));
  }

  private void check() {
    if (Stream.of(file != null, fetch, resend, returning, accept).filter(given -> given).count()
        > 1) {
      throw UserError.badUsage(
          new UseOnlyOne(List.of("--file", "--fetch", "--resend", "--return", "--accept")));
    }
    boolean compares = file != null || fetch;
    if (!compares && (from != null || to != null || lines != null)) {
      throw UserError.badUsage(
          new OnlyWith(List.of("--from", "--to", "--lines"), "--file, --fetch"));
    }
    if (!resend && !returning && !accept && (all || !ids.isEmpty())) {
      throw UserError.badUsage(
          new OnlyWith(List.of("ID", "--all"), "--resend, --return, --accept"));
    }
    if ((compares || returning) && kind != null) {
      throw UserError.badUsage(
          TakesNo.of(returning ? "--return" : fetch ? "--fetch" : "--file", "--kind"));
    }
    Arguments.time("--from", from);
    Arguments.time("--to", to);
    pages.check();
  }
}
