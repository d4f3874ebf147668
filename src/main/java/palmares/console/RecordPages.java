package palmares.console;

import java.time.Clock;
import java.time.YearMonth;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.ops.Listing;
import palmares.api.security.Requires;
import palmares.api.security.Role;

/** Shows what the installation has recorded: ledger, audit log, deliveries, memory, batches. */
@Console
class RecordPages {
  private static final int ROWS = 200;

  private final Api api;
  private final Clock clock;

  RecordPages(Api api, Clock clock) {
    this.api = api;
    this.clock = clock;
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/ledger")
  String ledger(@RequestParam(required = false) @Nullable String month, Model model) {
    String shown =
        month == null || month.isBlank()
            ? YearMonth.from(clock.instant().atOffset(ZoneOffset.UTC)).toString()
            : month.strip();
    model.addAttribute("month", shown);
    model.addAttribute("balances", Rows.of(api.ledger().balances(false)));
    model.addAttribute("paid", Rows.of(api.history().month(shown, "UTC")));
    model.addAttribute("periods", Rows.of(api.history().monthPeriods(shown, "UTC")));
    return "ledger";
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/ledger/{account}")
  String account(
      @PathVariable String account,
      @RequestParam(required = false) @Nullable String kind,
      Model model) {
    model.addAttribute("account", account);
    model.addAttribute("kind", kind);
    model.addAttribute(
        "statement",
        Rows.of(api.ledger().account(account, kind, null, null, null, ROWS)).reversed());
    return "account";
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/audit")
  String audit(
      @RequestParam(required = false) @Nullable String board,
      @RequestParam(required = false) @Nullable String period,
      Model model) {
    model.addAttribute("board", board);
    model.addAttribute("period", period);
    model.addAttribute(
        "rows", Rows.of(api.installation().auditLog(orNull(board), orNull(period), ROWS, null)));
    return "audit";
  }

  private static @Nullable String orNull(@Nullable String text) {
    return text == null || text.isBlank() ? null : text.strip();
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/deliveries")
  String deliveries(Model model) {
    model.addAttribute("rows", Rows.of(api.installation().outbox(null)));
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
  String verification(Model model) {
    model.addAttribute("rows", Rows.of(api.installation().verifications(30, null)));
    return "verification";
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/batches")
  String batches(Model model) {
    model.addAttribute("rows", Rows.of(api.batches().batches(50, null)));
    return "batches";
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/batches/{id}")
  String batch(@PathVariable long id, Model model) {
    model.addAttribute("id", id);
    model.addAttribute(
        "batch", Rows.of(api.batches().batches(1_000, null)).where("batch", (int) id));
    model.addAttribute("sums", Rows.of(api.batches().sums(id)));
    model.addAttribute("rows", Rows.of(api.batches().items(id, null, Listing.MAX_COUNT, null)));
    return "batch";
  }
}
