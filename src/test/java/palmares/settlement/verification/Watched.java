package palmares.settlement.verification;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The findings that each watched table leads to, and the reasons why other tables are not watched.
 */
final class Watched {
  private Watched() {}

  /** The words that findings on a table begin with; "…" matches any text. */
  static final Map<String, List<String>> TABLES = new TreeMap<>();

  /** Tables that no result or payment depends on, and why. */
  static final Map<String, String> OTHER_TABLES = new TreeMap<>();

  /** Columns that no result or payment depends on, and why. */
  static final Map<String, String> OTHER_COLUMNS = new TreeMap<>();

  /** Rows of watched tables that no result or payment depends on yet, and why. */
  static final Map<String, String> OTHER_ROWS = new TreeMap<>();

  /** Columns whose changes only a constraint refuses, and which. */
  static final Map<String, String> REFUSED = new TreeMap<>();

  /** A different value that the table accepts, if the usual one is refused. */
  static final Map<String, String> OTHER_VALUES = new TreeMap<>();

  static {
    String manifest = "… in the manifest of revision";
    named("acknowledged_loss", "loss acknowledged", "loss after the seal", manifest);
    named(
        "audit_entry",
        "audit entry",
        "posting of",
        "approval of",
        "late event",
        "loss acknowledged",
        "archiving");
    named("audit_link", "audit entry");
    named("amended_line", "amended line of", "line of");
    named("approval", "approval of", manifest);
    named("committed_event", "event", "rows in committed_event");
    named("correction", "correction", "late event", "amended line of", manifest);
    named("definition", "definition", "hash of the definition");
    named("event", "event", "line of", "population", "award of", manifest);
    named("exclusion", "audit entry: exclude", "audit entry: lift", "frozen exclusion of");
    named("flagged_line", "flagged line of", "withheld award of", "award of", manifest);
    named("frozen_exclusion", "frozen exclusion of", "line of", manifest);
    named("import_run", "audit entry: import");
    named("imported_period", "audit entry: import");
    named("journal_quarantine", "decision on the quarantined entry");
    // The counts of an archived period are compared with its manifest alone.
    named("journal_position", "drained events", "events… stored for the manifest", manifest);
    named("late_event", "late event", manifest);
    // An adopted board has no journal that names a missing member.
    named("line_shared", "line of", "rows in line of an outcome", "population", manifest);
    named("line_decision", "decision on the line of", "withheld award of", "award of");
    named("loss", "loss of order");
    named(
        "manifest",
        "manifest of revision",
        "hash of the manifest",
        "… manifest of",
        "rows in manifest");
    named("manifest_link", "link", "period of link", "manifest of revision");
    named(
        "payment_shared",
        "award of",
        "return of",
        "debt of",
        "write-off of",
        "restored of",
        "rows in payment of an outcome",
        // Payments for actions of an archived period are compared by their sums.
        manifest);
    named(
        "period",
        "population",
        "drained events",
        "definition",
        "rows in … of a period",
        "current revision",
        "loss after the seal",
        "posting of",
        "archiving",
        manifest);
    named("person_hold", "hold of the period");
    named("prize", "prize number");
    named(
        "revision",
        "posting of",
        "current revision",
        "definition",
        "rows in line of an outcome",
        "… stored for the manifest",
        manifest);
    named("withheld_award", "withheld award of", "rows in withheld_award", manifest);
    named("tier_move", "move of", "rows in tier_move");
  }

  static {
    OTHER_TABLES.put("api_key", "what programs may do");
    OTHER_TABLES.put("api_secret", "what programs send");
    OTHER_TABLES.put("payout_file", "which files were made for finance");
    OTHER_TABLES.put("closed_books", "up to when months are closed; it only grows");
    OTHER_TABLES.put("person", "who signs in");
    OTHER_TABLES.put("sign_in_attempt", "who has failed to sign in, and from where");
    OTHER_TABLES.put("spring_session", "who has signed in");
    OTHER_TABLES.put("spring_session_attributes", "the same");
    OTHER_TABLES.put("ended_session", "whose sessions were ended: the audit log says by whom");
    OTHER_TABLES.put("approval_setting", "what the servers' settings say: the audit log says when");
    OTHER_TABLES.put("digest", "which days were reported");
    OTHER_TABLES.put("fact", "what is delivered to others; removed once all have it");
    OTHER_TABLES.put("watched_period", "which ranks on open boards others know");
    OTHER_TABLES.put("board_pause", "boards that a person has paused: the audit log says who");
    OTHER_TABLES.put("exclusion_list", "names of lists: their entries are exclusions");
    OTHER_TABLES.put("invite", "who invited whom: the events that it credited are watched");
    OTHER_TABLES.put("invite_credit", "where invites qualify: the credits are derived by it");
    OTHER_TABLES.put("invite_due", "whose invites are judged next");
    OTHER_TABLES.put("late_write", "writes to sealed keys, which changed nothing");
    OTHER_TABLES.put("member", "personal data; a registration counts where it decides a prize");
    OTHER_TABLES.put("member_key", "the key of the hashes of external ids");
    OTHER_TABLES.put("journal_fault", "what servers found wrong in Redis, until it is repaired");
    OTHER_TABLES.put("node", "which servers run");
    OTHER_TABLES.put("delivery_attempt", "attempts, for diagnosis");
    OTHER_TABLES.put("delivered_outcome", "how far awards are delivered to the wallet");
    OTHER_TABLES.put("resend", "what is delivered to the wallet again");
    OTHER_TABLES.put("receipt", "what the wallet said: nothing that is paid depends on it");
    OTHER_TABLES.put("wallet_comparison", "which lists of the wallet were compared");
    OTHER_TABLES.put("wallet_finding", "how the wallet's lists differ from the awards");
    OTHER_TABLES.put("closing_slice", "slices that are being filled; removed once they are joined");
    OTHER_TABLES.put("outbox_target", "delivery status");
    OTHER_TABLES.put("task_item", "what tasks changed is watched");
    OTHER_TABLES.put("task_sum", "what was shown to a person");
    OTHER_TABLES.put("rebuild", "attempts, for diagnosis");
    OTHER_TABLES.put("relay", "how many events are committed");
    OTHER_TABLES.put("relay_position", "how far committed events are relayed to Redis");
    OTHER_TABLES.put(
        "registration_tag", "addresses and devices: the lines that they flag are watched");
    OTHER_TABLES.put("run", "attempts, for diagnosis");
    OTHER_TABLES.put("task", "verbs that were called: what they changed is watched");
    OTHER_TABLES.put("step_progress", "attempts, for diagnosis");
    OTHER_TABLES.put("verification_run", "what earlier verifications found");
  }

  static {
    String diagnosis = "attempts, for diagnosis";
    String lease = "who works on the period now";
    String live = "the state of the live board";
    String clock = "what is due when";
    other("definition.first_used_at", "statistics");
    other("definition.lists", "for statements; verification parses the source");
    other("manifest.written_at", "the manifest says when the outcome was posted");
    other("import_run.started_at", "statistics");
    other("import_run.heartbeat_at", "imports under way");
    other("import_run.ended_at", "imports under way");
    other("import_run.stopped_at", "imports under way");
    other("period.opened_at", "statistics");
    other("period.opened_by_import", live);
    other("period.live_intended_at", live);
    other("period.live_at", live);
    other("period.seen_at", live);
    other("period.lease_owner", lease);
    other("period.lease_until", lease);
    other("period.fence", lease);
    other("period.failures", diagnosis);
    other("period.failure", diagnosis);
    other("period.repair", diagnosis);
    other("period.retry_at", diagnosis);
    other("period.overdue_at", diagnosis);
    other("period.expiry_failures", diagnosis);
    other("period.expiry_failure", diagnosis);
    other("period.expiry_retry_at", diagnosis);
    other("period.closes_at", clock);
    other("period.expires_at", clock);
    other("period.expired_at", clock);
    other("committed_event.committed_at", "when an event was acknowledged; nothing counts by it");
    other("committed_event.n", "a number; the journal has its own numbers");
    other("committed_event.total", "what a repeated event is answered");
    other("journal_position.entry", "where Redis has the last event");
    other("journal_quarantine.entry", "what did not count");
    other("journal_quarantine.error", diagnosis);
    other("journal_quarantine.quarantined_at", diagnosis);
  }

  static {
    unless("exclusion.level", "unranked", "hidden");
    unless("frozen_exclusion.level", "unranked", "hidden");
    unless("tier_move.direction", "down", "up");
    unless("line_decision.decision", "release", "refuse");
    unless("loss.kind", "coarse-time", "equal-time");
    unless("event.outcome", "unchanged", "repeated");
    unless("committed_event.outcome", "capped", "repeated");
    unless("revision.owed", "take", "debt");
    unless("revision.ties", "each", "order");
    unless("late_event.verdict", "dismissed", "accepted");
    unless("correction.kind", "points", "late-event");
    unless("journal_quarantine.resolution", "discarded", "released");
    unless("acknowledged_loss.forgotten", "sealed", "settled");
    OTHER_VALUES.put("acknowledged_loss.missing", "missing + '{[9,9]}'");
    OTHER_VALUES.put("audit_entry.details", "details || '{\"x\": 1}'");
    OTHER_VALUES.put("flagged_line.chain", "coalesce(chain, 0) + 3");
    OTHER_VALUES.put("flagged_line.same_device", "coalesce(same_device, 0) + 3");
    OTHER_VALUES.put("exclusion.list", "'others'");
    OTHER_VALUES.put("frozen_exclusion.list", "'others'");
    OTHER_VALUES.put("journal_quarantine.by_rules", "'{}'");
    OTHER_VALUES.put("manifest.sums", "sums || '{\"x\": 1}'");
    OTHER_VALUES.put("payment_shared.purpose", "purpose % 5 + 1");
    OTHER_VALUES.put("period.state", "'filled', settled_at = null, expired_at = null");
    OTHER_VALUES.put("period.archived_at", "now(), state = 'expired', expired_at = settled_at");
    OTHER_VALUES.put("late_event.value", "coalesce(value, 0) + 1");
    OTHER_VALUES.put("late_event.then_by", "coalesce(then_by, 0) + 1");
    OTHER_VALUES.put("revision.verdict", "'rejected', posted_at = null, fence = null");
    OTHER_VALUES.put("revision.posted_at", "null, fence = null");
    OTHER_VALUES.put("revision.release_at", "prepared_at");
    OTHER_VALUES.put("revision.filled_at", "filled_at + interval '1 hour'");
  }

  /** The rows to change, if other rows of the table affect no result or payment. */
  static final Map<String, String> ROWS = new TreeMap<>();

  static {
    ROWS.put("exclusion.level", "lifted_at is null");
    ROWS.put("exclusion.starts_at", "lifted_at is null");
    ROWS.put("exclusion.ends_at", "lifted_at is null");
    ROWS.put("revision.release_at", "posted_at is not null");
    ROWS.put("committed_event.worth", "outcome = 'applied' and value is null");
    for (String column : List.of("ctid", "board", "period", "id", "member")) {
      ROWS.put("late_event." + column, "verdict is not null");
    }
    for (String column :
        List.of(
            "action",
            "subject",
            "undo",
            "quantity",
            "occurred_at",
            "arrived_at",
            "value",
            "then_by")) {
      ROWS.put("late_event." + column, "id in (select event_id from correction)");
    }
    OTHER_ROWS.put(
        "committed_event.worth of an event that was not applied",
        "an undo takes back what it undoes; the others give nothing");
    OTHER_ROWS.put(
        "late_event that no outcome counts",
        "what it says; who decided on it, and how, is watched");
  }

  /** Columns without a value in these periods, which are given one. */
  static boolean mayBeNull(String column) {
    return Set.of(
            "exclusion.list",
            "flagged_line.chain",
            "flagged_line.same_device",
            "frozen_exclusion.list",
            "journal_quarantine.by_rules",
            "late_event.then_by",
            "late_event.value",
            "period.archived_at",
            "revision.release_at")
        .contains(column);
  }

  private static void unless(String column, String one, String other) {
    String name = column.substring(column.indexOf('.') + 1);
    OTHER_VALUES.put(
        column, "case %s when '%s' then '%s' else '%2$s' end".formatted(name, one, other));
  }

  private static void named(String table, String... words) {
    TABLES.put(table, List.of(words));
  }

  /** Whether a finding begins with the words of the table. */
  static boolean names(String table, String finding) {
    return Objects.requireNonNull(TABLES.get(table)).stream()
        .map(words -> Pattern.quote(words).replace("…", "\\E.*\\Q") + ".*")
        .anyMatch(words -> Pattern.compile(words, Pattern.DOTALL).matcher(finding).matches());
  }

  private static void other(String column, String why) {
    OTHER_COLUMNS.put(column, why);
  }
}
