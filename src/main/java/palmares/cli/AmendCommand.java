package palmares.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.AmendmentResource;
import palmares.api.ops.AmendmentResource.AmendRequest;
import palmares.api.ops.BatchResource;
import palmares.api.ops.BatchResource.BatchRequest;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.CommandSentences.TakesNo;
import palmares.cli.terminal.UserError;
import palmares.operations.batches.Batches;
import palmares.operations.batches.NumberRanges;
import palmares.platform.Refusal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prepares an amendment of a settled period. */
@Command(
    name = "amend",
    description = {
      "Computes the next revision of a settled period: with the exclusions that are in force now,"
          + " the accepted late events, other rules, or corrected points.",
      "",
      "Shows whose rank and awards change. Nothing is paid and nothing changes until 'palmares"
          + " approve', which posts the differences only. 'palmares what-if' shows the same and"
          + " keeps nothing."
    },
    exitCodeList = {
      "0:nothing would change, and nothing is kept",
      "1:another process holds the period",
      "2:bad usage, or the period cannot be amended: nothing was changed",
      "3:prepared, and must be approved or rejected"
    },
    customSynopsis = {
      "palmares amend [OPTIONS] BOARD PERIOD --reason TEXT",
      "   or: palmares amend [OPTIONS] --exclusion IDS --reason TEXT"
    },
    footer = {
      "  palmares amend invites 2026-W47 --reason 'bots excluded'",
      "  palmares amend --exclusion 7 --reason 'bots excluded'",
      "  palmares amend invites 2026-W47 --points ann=1200 --reason 'double count, ticket 17'",
      "  palmares amend invites 2026-W47 --rules right.yml --reason 'the third prize was 300'"
    })
final class AmendCommand extends ApiCommand implements Callable<Integer> {
  @Mixin private BoardFilter.WithPeriod target = new BoardFilter.WithPeriod();

  @Option(
      names = "--exclusion",
      paramLabel = "IDS",
      description =
          "Amends every settled period that these exclusions touch, lifted or not: 7, or 7,9, or"
              + " 7-12 ('palmares exclusions' lists them). One approval posts all amendments.")
  private @Nullable String exclusions;

  @Mixin private AmendmentOptions options = new AmendmentOptions();

  @Mixin private ChangeOptions.WithReason acting = new ChangeOptions.WithReason();

  @Override
  public Integer call() {
    if (exclusions != null) {
      return amendMany(ids(exclusions));
    }
    var named = target.required();
    AmendRequest order = options.order(acting.reason());
    return act(
        acting,
        AmendmentResource.class,
        (amendments, call) -> amendments.amend(named.board(), named.period(), order, call));
  }

  private int amendMany(List<Long> ids) {
    if (target.isGiven() || options.isGiven()) {
      throw UserError.badUsage(
          TakesNo.of("--exclusion", "BOARD", "PERIOD", "--rules", "--points", "--ties"));
    }
    var order =
        new BatchRequest(acting.reason(), "amend", ids, null, false, null, null, null, null);
    return act(acting, BatchResource.class, (batches, call) -> batches.begin(order, call));
  }

  private static List<Long> ids(String text) {
    try {
      return NumberRanges.parse(List.of(text.split(",", -1)), Batches.MAX_EXCLUSIONS);
    } catch (IllegalArgumentException e) {
      throw UserError.badUsage(new CommandSentences.Option("--exclusion", Refusal.said(e)));
    }
  }
}
