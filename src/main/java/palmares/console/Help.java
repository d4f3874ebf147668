package palmares.console;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import palmares.operations.inbox.InboxItem;
import palmares.platform.text.Setting;

/**
 * The runbook, to which pages link.
 *
 * @param runbook the address of the runbook's pages, in which a page's name takes the place of
 *     "page" in braces; sections have their titles as anchors. That of a copy if people cannot
 *     reach the default
 */
@ConfigurationProperties("palmares.console")
public record Help(
    @DefaultValue("https://github.com/palmares/palmares/blob/main/src/docs/{page}.md")
        String runbook) {
  private static final String PAGE = "{page}";
  private static final String FIRST_PAGE = "operations";

  /** Page and section about a state, an {@link InboxItem.Kind} or a page of the menu. */
  static final Map<String, String> SECTIONS =
      Map.ofEntries(
          Map.entry("accepted", "operations#late-events"),
          Map.entry("amendment", "operations#amending-a-settled-period"),
          Map.entry("audit", "operations#what-nobody-can-erase-unnoticed"),
          Map.entry("batch", "operations#many-periods-at-once"),
          Map.entry("boards", "deploying#changing-a-board"),
          Map.entry("closing", "operations#the-night"),
          Map.entry("deliveries", "delivering#delivering-facts-to-other-systems"),
          Map.entry("delivery", "monitoring#palmaresdeliveryfailing"),
          Map.entry("events", "deploying#what-an-event-takes"),
          Map.entry("explain", "operations#explaining-a-result"),
          Map.entry("failed", "monitoring#palmaresclosingfailed"),
          Map.entry("held", "operations#held-periods"),
          Map.entry("keys", "monitoring#limits-for-callers"),
          Map.entry("late", "operations#late-events"),
          Map.entry("ledger", "delivering#reading-the-ledger-and-old-revisions"),
          Map.entry("links", "operations#what-is-proved-when"),
          Map.entry("live-board", "outages#repairing-a-live-board"),
          Map.entry("locked-out", "monitoring#limits-for-callers"),
          Map.entry("members", "operations#excluding-members"),
          Map.entry("memory", "deploying#memory"),
          Map.entry("missing-key", "outages#when-something-is-wrong"),
          Map.entry("missing-list", "operations#excluding-members"),
          Map.entry("nightly", "operations#nightly-verification"),
          Map.entry("overdue", "monitoring#palmaresperiodoverdue"),
          Map.entry("paused", "operations#pausing-a-board"),
          Map.entry("payout", "delivering#a-payout-file-for-finance"),
          Map.entry("problem", "outages#when-something-is-wrong"),
          Map.entry("quarantine", "outages#a-journal-entry-that-postgresql-refuses"),
          Map.entry("redis", "monitoring#palmaresredisdown"),
          Map.entry("rejected", "operations#held-periods"),
          Map.entry("scheduler", "monitoring#palmaresschedulerdead"),
          Map.entry("sessions", "deploying#pgbouncer"),
          Map.entry("tasks", "operations#many-periods-at-once"),
          Map.entry("unfinished", "operations#many-periods-at-once"),
          Map.entry("unverified", "monitoring#palmaresverificationoverdue"),
          Map.entry("released", "operations#withheld-lines"),
          Map.entry("wallet", "delivering#what-the-wallet-received"),
          Map.entry("wallet-list", "delivering#what-the-wallet-received"),
          Map.entry("withheld", "operations#withheld-lines"),
          Map.entry("work", "deploying#a-server-that-works-on-nothing"),
          Map.entry("verification", "monitoring#palmaresverificationdiffers"));

  public Help {
    if (!runbook.contains(PAGE)) {
      throw new Setting("palmares.console.runbook")
          .wrong(runbook, new PageSentences.RunbookNeeds(PAGE));
    }
  }

  /** The address of what the runbook says about a word; its first page if it has no section. */
  public String about(String word) {
    String[] section = SECTIONS.getOrDefault(word, FIRST_PAGE).split("#");
    String page = runbook.replace(PAGE, section[0]);
    return section.length == 1 ? page : page + "#" + section[1];
  }
}
