package palmares.settlement.outbox;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Commands;
import palmares.platform.text.Next;

/** Says in plain English what a fact means, and what to do. */
final class FactText {
  private FactText() {}

  static String subject(Fact fact) {
    Map<String, Object> data = fact.data();
    String period = fact.board() + " " + fact.period();
    return switch (fact.type()) {
      case "period.opened" -> period + (isTrue(data, "moved") ? " was moved" : " was opened");
      case "period.extended" -> period + " was extended";
      case "period.sealed" -> period + " is sealed";
      case "period.held" -> period + " is held and needs a person's approval";
      case "period.failed" -> period + " was not settled: its closing failed";
      case "period.overdue" -> period + " is overdue";
      case "period.settled" -> period + " is settled";
      case "period.amended" -> "%s was amended by revision %d".formatted(period, fact.revision());
      case "verification.failed" ->
          "the verification of %s found %s differences"
              .formatted(data.get("night"), data.get("differences"));
      case "digest" -> "digest of %s: %s".formatted(data.get("day"), DigestText.summary(data));
      default -> fact.type() + " " + period;
    };
  }

  static String body(Fact fact) {
    return String.join("\n", lines(fact)) + "\n\nfact %s\n".formatted(fact.id());
  }

  private static List<String> lines(Fact fact) {
    Map<String, Object> data = fact.data();
    String name = fact.board() + " " + fact.period();
    return switch (fact.type()) {
      case "period.held" -> held(fact, name);
      case "period.failed" ->
          List.of(
              "The closing of period %s failed%s. Nobody is paid."
                  .formatted(name, data.containsKey("step") ? " in step " + data.get("step") : ""),
              "",
              "  " + text(data.get("failure")),
              "",
              "It has failed %s times. The next attempt is at %s."
                  .formatted(data.get("failures"), data.get("retryAt")),
              "Details:   " + Commands.of(runs(fact).with("failed", true).with("stack", true)),
              "Retry now: " + command("close", fact));
      case "period.overdue" ->
          List.of(
              "Period %s was due at %s and is not settled. Its state is %s, and no closing of it"
                      .formatted(name, data.get("closesAt"), data.get("state"))
                  + " has failed.",
              "",
              "Check that a scheduler runs, then: " + Commands.of(runs(fact)));
      case "verification.failed" ->
          List.of(
              "The nightly verification of %s periods found %s differences. The first:"
                  .formatted(data.get("periods"), data.get("differences")),
              "",
              "  " + text(data.get("first")),
              "",
              "All of them: " + Commands.of(Next.of("verify")));
      case "digest" -> DigestText.lines(data);
      default -> fields(fact, data);
    };
  }

  private static List<String> held(Fact fact, String name) {
    Map<String, Object> data = fact.data();
    return List.of(
        (data.get("releaseAt") != null
                ? "Period %s is held for objections. Nothing is paid until it is released:"
                : "Period %s is held. Nothing is paid until a person approves it:")
            .formatted(name),
        "",
        texts(data, "reasons").stream()
            .map(reason -> "  - " + reason)
            .collect(Collectors.joining("\n")),
        "",
        data.get("releaseAt") != null
            ? "If nobody objects, it is released at %s.".formatted(data.get("releaseAt"))
            : "It stays held until a person decides.",
        "See what it would pay:  " + command("preview", fact),
        "Then:                   " + decision("approve", fact),
        "or:                     " + decision("reject", fact));
  }

  private static Next runs(Fact fact) {
    return Next.of("runs").with("board", requireNonNull(fact.board()));
  }

  private static String command(String verb, Fact fact) {
    return Commands.of(Next.of(verb, requireNonNull(fact.board()), requireNonNull(fact.period())));
  }

  private static String decision(String verb, Fact fact) {
    return Commands.of(
        Next.of(verb, requireNonNull(fact.board()), requireNonNull(fact.period()))
            .with("expect", "DIGEST"));
  }

  private static List<String> fields(Fact fact, Map<String, Object> data) {
    var lines = new ArrayList<String>();
    lines.add("%s at %s.".formatted(subject(fact), fact.time()));
    lines.add("");
    data.forEach((field, value) -> lines.add("  %s: %s".formatted(field, value)));
    return lines;
  }

  private static boolean isTrue(Map<String, Object> data, String field) {
    return Boolean.TRUE.equals(data.get(field));
  }

  private static List<String> texts(Map<String, Object> data, String field) {
    return data.get(field) instanceof List<?> list
        ? list.stream().map(FactText::text).toList()
        : List.of();
  }

  /** A text, or a sentence as JSON has it. */
  private static String text(@Nullable Object value) {
    return value instanceof Map<?, ?> said && said.get("text") != null
        ? said.get("text").toString()
        : String.valueOf(value);
  }

  /** Writes the report of a day as tables. */
  private static final class DigestText {
    private DigestText() {}

    static String summary(Map<String, Object> data) {
      if (isTrue(data, "nothingDue")) {
        return "nothing was due";
      }
      long closed = rows(data, "closed").stream().mapToLong(row -> number(row, "periods")).sum();
      var parts = new ArrayList<String>();
      parts.add(closed + " settled");
      for (String part : List.of("failed", "held", "overdue", "unusual")) {
        if (!rows(data, part).isEmpty()) {
          parts.add(rows(data, part).size() + " " + part);
        }
      }
      return String.join(", ", parts);
    }

    static List<String> lines(Map<String, Object> data) {
      var lines = new ArrayList<String>();
      lines.add("From %s to %s.".formatted(data.get("since"), data.get("until")));
      if (isTrue(data, "nothingDue")) {
        lines.addAll(List.of("", "Nothing was due."));
      }
      table(lines, data, "closed", "Settled", "board", "periods", "members");
      table(lines, data, "paid", "Paid", "board", "currency", "amount");
      table(lines, data, "takenBack", "Taken back by amendments", "board", "currency", "amount");
      table(
          lines,
          data,
          "failed",
          "Failed, nobody is paid",
          "board",
          "period",
          "failures",
          "failure");
      table(lines, data, "held", "Held for a person", "board", "period", "state", "reasons");
      table(lines, data, "overdue", "Overdue", "board", "period", "closesAt");
      table(lines, data, "unusual", "Unusual", "board", "period", "what");
      table(lines, data, "lateEvents", "Late events", "board", "events");
      lines.add("");
      lines.add(
          "%s amendments were posted, and %s attempts to close a period failed."
              .formatted(data.get("amendments"), data.get("failedAttempts")));
      lines.add(
          data.get("verification") instanceof Map<?, ?> night
              ? "The verification of %s checked %s periods and found %s differences."
                  .formatted(night.get("night"), night.get("periods"), night.get("differences"))
              : "No nightly verification ended in this time.");
      addLinks(lines, texts(data, "links"));
      return lines;
    }

    private static void addLinks(List<String> lines, List<String> links) {
      if (!links.isEmpty()) {
        lines.addAll(
            List.of("", "The last links of the chains. To compare them with the database:"));
        links.forEach(link -> lines.add("  " + Commands.of(Next.of("verify").with("link", link))));
      }
    }

    private static @Nullable Object cell(@Nullable Object value) {
      return value instanceof List<?> all
          ? all.stream().map(FactText::text).collect(Collectors.joining("; "))
          : value instanceof Map<?, ?> ? text(value) : value;
    }

    /** An empty table is left out. */
    private static void table(
        List<String> lines,
        Map<String, Object> data,
        String name,
        String title,
        String... columns) {
      List<Map<?, ?>> rows = rows(data, name);
      if (rows.isEmpty()) {
        return;
      }
      var table = new OutputTable<Map<?, ?>>();
      for (String column : columns) {
        if (rows.get(0).get(column) instanceof Number) {
          table.number(column, row -> row.get(column));
        } else {
          table.text(column, row -> cell(row.get(column)));
        }
      }
      lines.addAll(List.of("", title, ""));
      table.table(rows).lines().map(line -> " " + line.stripTrailing()).forEach(lines::add);
      if (data.get(name + "Omitted") instanceof Number omitted) {
        lines.add("  … and %d more".formatted(omitted.longValue()));
      }
    }

    private static long number(Map<?, ?> row, String field) {
      return row.get(field) instanceof Number number ? number.longValue() : 0;
    }

    private static List<Map<?, ?>> rows(Map<String, Object> data, String name) {
      var rows = new ArrayList<Map<?, ?>>();
      if (data.get(name) instanceof List<?> list) {
        for (Object row : list) {
          if (row instanceof Map<?, ?> fields) {
            rows.add(fields);
          }
        }
      }
      return rows;
    }
  }
}
