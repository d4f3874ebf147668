package palmares.cli;

import palmares.api.ops.InstallationResource;
import palmares.api.ops.Listing;
import palmares.api.ops.PageRequest;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;

/** Lists the audit log. */
@Command(
    name = "audit",
    description = {
      "Lists the audit log, the latest entry first: who changed what is paid or shown, when and"
          + " why. Times are in UTC."
    },
    exitCodeList = {"0:listed", "2:bad usage, or an unknown board"},
    footer = "  palmares audit invites 2026-W47")
final class AuditCommand extends PagedReadCommand {

  AuditCommand(Session session) {
    super(session);
  }

  @Override
  Listing page(Client client, PageRequest page) {
    return client.get(InstallationResource.class).auditLog(filter.board(), filter.period(), page);
  }
}
