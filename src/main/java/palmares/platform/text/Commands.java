package palmares.platform.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Spells a next step as a command of a shell. */
public final class Commands {
  /** What a person must add to a verb. */
  private static final String REASON = " --reason TEXT";

  /** Fields that a command takes as arguments, in this order. */
  private static final List<String> ARGUMENTS =
      List.of("board", "period", "list", "member", "id", "ids", "name", "numbers");

  /** Those of a command that takes others of these as options. */
  private static final Map<String, List<String>> FEWER_ARGUMENTS =
      Map.of("exclude", List.of("member"));

  /** Options that have another name than their field. */
  private static final Map<String, String> OPTIONS = Map.of("exclusions", "exclusion");

  /** How a command is called that has another name than its operation. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("accept-late", "late accept"),
          Map.entry("add-to-list", "lists add"),
          Map.entry("api-keys", "api-keys list"),
          Map.entry("approve-batch", "approve --batch"),
          Map.entry("close-due", "close --due"),
          Map.entry("create-list", "lists create"),
          Map.entry("discard", "journal quarantine discard"),
          Map.entry("dismiss-late", "late dismiss"),
          Map.entry("drop-orphans", "memory --drop-orphans"),
          Map.entry("exclude-file", "exclude"),
          Map.entry("ledger", "ledger balance"),
          Map.entry("quarantine", "journal quarantine"),
          Map.entry("reject-batch", "reject --batch"),
          Map.entry("refuse-withheld", "withheld refuse"),
          Map.entry("release", "journal quarantine release"),
          Map.entry("release-withheld", "withheld release"),
          Map.entry("accept-findings", "reconcile --accept"),
          Map.entry("resend", "reconcile --resend"),
          Map.entry("return-refused", "reconcile --return"),
          Map.entry("retry", "outbox --retry"),
          Map.entry("revoke-key", "api-keys revoke"),
          Map.entry("resume-batch", "tasks resume"));

  /** What a command takes instead of a field that is not known: what it is about. */
  private static final Map<String, List<String>> OTHERWISE =
      Map.of(
          "accept-late", List.of("ids", "--all"),
          "add-to-list", List.of("member", "--file FILE"),
          "dismiss-late", List.of("ids", "--all"),
          "exclude-file", List.of("csv", "--file FILE"),
          "refuse-withheld", List.of("member", "--all"),
          "release-withheld", List.of("member", "--all"));

  /** Commands that change nothing on a server, so that they need no reason. */
  private static final List<String> READS =
      List.of(
          "preview",
          "report",
          "runs",
          "periods",
          "exclusions",
          "boards",
          "boards check",
          "boards new",
          "demo",
          "late",
          "inbox",
          "api-keys",
          "ledger",
          "quarantine",
          "verify",
          "withheld");

  private Commands() {}

  /** The command, such as {@code palmares close invites 2026-W43 --reason TEXT}. */
  public static String of(Next next) {
    var words = new ArrayList<String>();
    words.add("palmares");
    // One of many periods is the same command with other options.
    Object verb = next.verb().equals("batch") ? next.fields().get("verb") : next.verb();
    words.add(NAMES.getOrDefault(next.verb(), String.valueOf(verb)));
    List<String> arguments = FEWER_ARGUMENTS.getOrDefault(next.verb(), ARGUMENTS);
    arguments.stream()
        .map(next.fields()::get)
        .filter(Objects::nonNull)
        .map(Commands::quoted)
        .forEach(words::add);
    List<String> otherwise = OTHERWISE.get(next.verb());
    if (otherwise != null && !next.fields().containsKey(otherwise.get(0))) {
      words.add(otherwise.get(1));
    }
    next.fields().entrySet().stream()
        .filter(field -> !arguments.contains(field.getKey()) && !field.getKey().equals("verb"))
        .forEach(field -> addOption(field.getKey(), field.getValue(), words));
    return words.stream().collect(Collectors.joining(" "))
        + (READS.contains(next.verb()) ? "" : REASON);
  }

  private static void addOption(String field, Object value, List<String> words) {
    if (value.equals(false)) {
      return;
    }
    words.add(
        "--"
            + OPTIONS
                .getOrDefault(field, field)
                .replaceAll("(?=[A-Z])", "-")
                .toLowerCase(Locale.ROOT));
    if (value instanceof Collection<?> choices) {
      words.add(choices.stream().map(String::valueOf).collect(Collectors.joining("|")));
    } else if (!value.equals(true)) {
      words.add(quoted(value));
    }
  }

  /** A value that a shell takes as one word. */
  private static String quoted(Object value) {
    String text = value.toString();
    return text.matches("[\\w.,:@/+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
