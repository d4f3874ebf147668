package palmares.cli;

import java.util.ArrayList;
import java.util.List;
import palmares.api.ops.AmendmentResource;
import palmares.api.ops.Listing;
import palmares.cli.launch.Client;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what an amendment would change. */
@Command(
    name = "what-if",
    description = {
      "Shows how a settled period would change with other rules, other points, or without some of"
          + " its members. Writes nothing.",
      "",
      "Includes what 'palmares amend' would: the exclusions in force now and the accepted late"
          + " events."
    },
    exitCodeList = {"0:shown", "2:bad usage, or the period is not settled"},
    footer = {
      "  palmares what-if invites 2026-W47 --without ann --without bob",
      "  palmares what-if invites 2026-W47 --rules other.yml"
    })
final class WhatIfCommand extends ReadCommand {

  @Mixin private PeriodArgument target = new PeriodArgument();

  @Mixin private AmendmentOptions options = new AmendmentOptions();

  @Option(
      names = "--without",
      paramLabel = "MEMBER",
      description = "As if this member were hidden; may be repeated.")
  private List<String> without = new ArrayList<>();

  @Override
  void check() {
    options.check();
  }

  @Override
  Listing read(Client client) {
    return client
        .get(AmendmentResource.class)
        .whatIf(target.board(), target.period(), options.assumptions(without));
  }
}
