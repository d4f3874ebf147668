package palmares.cli;

import palmares.api.ops.InstallationResource;
import palmares.api.ops.Listing;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the audit log. */
@Command(
    name = "audit",
    description = {
      "Lists the audit log, the latest entry first: who changed what is paid or shown, when and"
          + " why. Times are in UTC."
    },
    exitCodeList = {"0:listed", "2:bad usage, or an unknown board"},
    footer = "  palmares audit invites 2026-W47")
final class AuditCommand extends Reading {

  @Mixin private BoardFilter.WithPeriod filter = new BoardFilter.WithPeriod();

  @Mixin private PageOptions pages = new PageOptions();

  AuditCommand(Session session) {
    super(session, LaunchOptions.withoutRedis("audit"));
  }

  @Override
  void check() {
    pages.check();
  }

  @Override
  Listing read(RunningApplication app) {
    InstallationResource installation = app.get(InstallationResource.class);
    return pages.read(
        (count, after) -> installation.auditLog(filter.board(), filter.period(), count, after));
  }
}
