package palmares.console;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.security.Requires;
import palmares.api.security.Role;

/** Shows what the installation has recorded: ledger, audit log, deliveries, memory. */
@Console
class RecordPages {
  private static final int ROWS = 200;
  private static final int NIGHTS = 30;
  private static final int ATTEMPTS = 50;

  private final Api api;
  private final MonthZones zones;
  private final Clock clock;

  RecordPages(Api api, MonthZones zones, Clock clock) {
    this.api = api;
    this.zones = zones;
    this.clock = clock;
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/ledger")
  String ledger(
      @RequestParam(required = false) @Nullable String month,
      @RequestParam(required = false) @Nullable String zone,
      Model model) {
    String shown =
        month == null || month.isBlank()
            ? YearMonth.from(clock.instant().atOffset(ZoneOffset.UTC)).toString()
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
            ? Rows.of(api.ledger().account(account, only, null, ROWS, after, null))
            : Rows.of(api.ledger().account(account, only, null, null, null, ROWS + 1)).reversed();
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
    model.addAttribute(
        "rows", Rows.of(api.installation().auditLog(orNull(board), orNull(period), ROWS, after)));
    return "audit";
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
    model.addAttribute("rows", Rows.of(api.installation().outbox(null)));
    model.addAttribute("target", orNull(target));
    model.addAttribute("failed", failed);
    model.addAttribute(
        "attempts", Rows.of(api.installation().attempts(orNull(target), failed, ATTEMPTS, after)));
    return "deliveries";
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/memory")
  String memory(@RequestParam(required = false) @Nullable String board, Model model) {
    Rows rows = Rows.of(api.installation().memory(orNull(board), 5));
    model.addAttribute("board", board);
    model.addAttribute("rows", rows);
    return "memory";
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/verification")
  String verification(@RequestParam(required = false) @Nullable String after, Model model) {
    model.addAttribute("rows", Rows.of(api.installation().verifications(NIGHTS, after)));
    return "verification";
  }
}
