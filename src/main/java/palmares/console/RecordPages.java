package palmares.console;

import java.math.BigDecimal;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.ops.PageCursor;
import palmares.api.ops.PageRequest;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.period.auditlog.AuditLog.Stored;
import palmares.platform.text.Choice;
import palmares.settlement.wallet.WalletFindings;

/** Shows what the installation has recorded: ledger, audit log, deliveries, memory. */
@Console
class RecordPages {
  private static final int ROWS = 200;
  private static final int NIGHTS = 30;
  private static final int ATTEMPTS = 50;
  private static final int COMPARISONS = 10;

  /** How the scope of an exclusion begins that is an entry of a named list. */
  private static final String LIST = "list:";

  private final Api api;
  private final AuditLog auditLog;
  private final MonthZones zones;

  RecordPages(Api api, AuditLog auditLog, MonthZones zones) {
    this.api = api;
    this.auditLog = auditLog;
    this.zones = zones;
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/ledger")
  String ledger(
      @RequestParam(required = false) @Nullable String month,
      @RequestParam(required = false) @Nullable String zone,
      Model model) {
    String shown =
        month == null || month.isBlank()
            ? YearMonth.from(Show.of(model).now().atOffset(ZoneOffset.UTC)).toString()
            : month.strip();
    String id = zones.month(shown, zone, model).zone().getId();
    Rows balances = Rows.of(api.ledger().balances(false));
    model.addAttribute("balances", balances);
    model.addAttribute("sums", sums(balances));
    model.addAttribute("paid", Rows.of(api.history().month(shown, id)));
    model.addAttribute("periods", Rows.of(api.history().monthPeriods(shown, id)));
    return "ledger";
  }

  /** What the balances of each currency add up to, which is 0 unless the ledger is broken. */
  private static Map<String, BigDecimal> sums(Rows balances) {
    var sums = new TreeMap<String, BigDecimal>();
    for (var row : balances.rows()) {
      sums.merge(
          String.valueOf(row.get("currency")),
          new BigDecimal(String.valueOf(row.get("balance"))),
          BigDecimal::add);
    }
    return sums;
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/ledger/{account}")
  String account(
      @PathVariable String account,
      @RequestParam(required = false) @Nullable String kind,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    boolean isWhole = from != null || after != null;
    String only = orNull(kind);
    Rows statement =
        isWhole
            ? Rows.of(api.ledger().account(account, only, null, new PageRequest(ROWS, after), null))
            : Rows.of(api.ledger().account(account, only, null, PageRequest.FIRST, ROWS + 1))
                .reversed();
    model.addAttribute("account", account);
    model.addAttribute("kind", only);
    model.addAttribute("isCut", !isWhole && statement.size() > ROWS);
    model.addAttribute("statement", statement.first(ROWS));
    return "account";
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/audit")
  String audit(
      @RequestParam(required = false) @Nullable String board,
      @RequestParam(required = false) @Nullable String period,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    model.addAttribute("board", board);
    model.addAttribute("period", period);
    String only = orNull(board);
    // Refuses a board that does not exist. Reads nothing: a listing reads when it is written.
    api.installation().auditLog(only, orNull(period), new PageRequest(null, after));
    PageCursor cursor = PageCursor.parse(after, 1);
    List<Stored> stored =
        auditLog.list(only, orNull(period), cursor == null ? null : cursor.number(0), ROWS + 1);
    List<Stored> shown = stored.subList(0, Math.min(ROWS, stored.size()));
    model.addAttribute("entries", shown.stream().map(RecordPages::audited).toList());
    model.addAttribute(
        "next",
        shown.size() < stored.size() ? PageCursor.of(shown.get(ROWS - 1).id()).text() : null);
    return "audit";
  }

  /**
   * An entry of the audit log with what its page links to.
   *
   * @param list the named list that it is about; null for none
   * @param account the name of the person or the key that it is about; null for none
   * @param anchor of its row on the page of people and keys; null for none
   * @param batch the number of the batch that it is about; null for none
   */
  record Audited(
      Stored stored,
      @Nullable String list,
      @Nullable String account,
      @Nullable String anchor,
      @Nullable Number batch) {
    public AuditEntry entry() {
      return stored.entry();
    }
  }

  private static Audited audited(Stored stored) {
    String board = stored.entry().board();
    Map<String, Object> details = stored.entry().details().values();
    Object person = details.get("person");
    Object key = details.get("key");
    return new Audited(
        stored,
        board != null && board.startsWith(LIST)
            ? board.substring(LIST.length())
            : (String) details.get("list"),
        (String) (person != null ? person : key),
        person != null ? "person-" + person : key != null ? "key-" + key : null,
        (Number) details.get("batch"));
  }

  private static @Nullable String orNull(@Nullable String text) {
    return text == null || text.isBlank() ? null : text.strip();
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/deliveries")
  String deliveries(
      @RequestParam(required = false) @Nullable String target,
      @RequestParam(defaultValue = "false") boolean failed,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    model.addAttribute("rows", Rows.of(api.deliveries().outbox(null)));
    model.addAttribute("target", orNull(target));
    model.addAttribute("failed", failed);
    model.addAttribute(
        "attempts",
        Rows.of(
            api.deliveries().attempts(orNull(target), failed, new PageRequest(ATTEMPTS, after))));
    return "deliveries";
  }

  /** Shows where the wallet differs from the awards, and when its lists were compared. */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/wallet")
  String wallet(
      @RequestParam(required = false) @Nullable String kind,
      @RequestParam(defaultValue = "false") boolean closed,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    model.addAttribute("kind", orNull(kind));
    model.addAttribute("closed", closed);
    model.addAttribute("kinds", Stream.of(WalletFindings.Kind.values()).map(Choice::word).toList());
    model.addAttribute(
        "rows", Rows.of(api.wallet().findings(orNull(kind), closed, new PageRequest(ROWS, after))));
    model.addAttribute(
        "comparisons", Rows.of(api.wallet().comparisons(new PageRequest(COMPARISONS, null))));
    return "wallet";
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/memory")
  String memory(@RequestParam(required = false) @Nullable String board, Model model) {
    Rows rows = Rows.of(api.memory().memory(orNull(board), 5));
    model.addAttribute("board", board);
    model.addAttribute("rows", rows);
    return "memory";
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/verification")
  String verification(@RequestParam(required = false) @Nullable String after, Model model) {
    model.addAttribute(
        "rows", Rows.of(api.verifications().verifications(new PageRequest(NIGHTS, after))));
    return "verification";
  }
}
