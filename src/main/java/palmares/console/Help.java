package palmares.console;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import palmares.operations.inbox.InboxItem;

/**
 * The runbook, to which pages link.
 *
 * @param runbook the address of the runbook, whose sections have their titles as anchors; that of a
 *     copy if people cannot reach the default
 */
@ConfigurationProperties("palmares.console")
public record Help(
    @DefaultValue("https://github.com/palmares/palmares/blob/main/src/docs/operations.md")
        String runbook) {
  /** The section about a state, an {@link InboxItem.Kind} or a page of the menu. */
  static final Map<String, String> SECTIONS =
      Map.ofEntries(
          Map.entry("accepted", "late-events"),
          Map.entry("amendment", "amending-a-settled-period"),
          Map.entry("audit", "what-nobody-can-erase-unnoticed"),
          Map.entry("batch", "many-periods-at-once"),
          Map.entry("boards", "changing-a-board"),
          Map.entry("closing", "the-night"),
          Map.entry("deliveries", "delivering-facts-to-other-systems"),
          Map.entry("delivery", "palmaresdeliveryfailing"),
          Map.entry("events", "what-an-event-takes"),
          Map.entry("explain", "explaining-a-result"),
          Map.entry("failed", "palmaresclosingfailed"),
          Map.entry("held", "held-periods"),
          Map.entry("keys", "limits-for-callers"),
          Map.entry("late", "late-events"),
          Map.entry("ledger", "reading-the-ledger-and-old-revisions"),
          Map.entry("links", "what-is-proved-when"),
          Map.entry("live-board", "repairing-a-live-board"),
          Map.entry("locked-out", "limits-for-callers"),
          Map.entry("members", "excluding-members"),
          Map.entry("memory", "memory"),
          Map.entry("missing-key", "when-something-is-wrong"),
          Map.entry("missing-list", "excluding-members"),
          Map.entry("nightly", "nightly-verification"),
          Map.entry("overdue", "palmaresperiodoverdue"),
          Map.entry("paused", "pausing-a-board"),
          Map.entry("payout", "a-payout-file-for-finance"),
          Map.entry("problem", "when-something-is-wrong"),
          Map.entry("quarantine", "a-journal-entry-that-postgresql-refuses"),
          Map.entry("redis", "palmaresredisdown"),
          Map.entry("rejected", "held-periods"),
          Map.entry("scheduler", "palmaresschedulerdead"),
          Map.entry("sessions", "pgbouncer"),
          Map.entry("tasks", "many-periods-at-once"),
          Map.entry("unfinished", "many-periods-at-once"),
          Map.entry("unverified", "palmaresverificationoverdue"),
          Map.entry("released", "withheld-lines"),
          Map.entry("wallet", "what-the-wallet-received"),
          Map.entry("withheld", "withheld-lines"),
          Map.entry("verification", "palmaresverificationdiffers"));

  /** The address of what the runbook says about a word; that of all of it if it has no section. */
  public String about(String word) {
    String section = SECTIONS.get(word);
    return section == null ? runbook : runbook + "#" + section;
  }
}
