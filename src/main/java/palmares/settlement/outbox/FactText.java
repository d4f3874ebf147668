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
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** Says in plain words what a fact means, and what to do. */
record FactText(Texts texts) {
  String subject(Fact fact) {
    return texts.of(subjectOf(fact));
  }

  private static Sentence subjectOf(Fact fact) {
    Map<String, Object> data = fact.data();
    String period = fact.board() + " " + fact.period();
    return switch (fact.type()) {
      case "period.opened" ->
          isTrue(data, "moved")
              ? new MailSentences.Moved(period)
              : new MailSentences.Opened(period);
      case "period.extended" -> new MailSentences.Extended(period);
      case "period.sealed" -> new MailSentences.Sealed(period);
      case "period.held" -> new MailSentences.NeedsPerson(period);
      case "period.failed" -> new MailSentences.NotSettled(period);
      case "period.overdue" -> new MailSentences.Overdue(period);
      case "period.settled" -> new MailSentences.Settled(period);
      case "period.amended" -> new MailSentences.Amended(period, requireNonNull(fact.revision()));
      case "rank.entered" ->
          data.containsKey("top")
              ? new MailSentences.EnteredTop(value(data, "member"), value(data, "top"), period)
              : new MailSentences.Reached(value(data, "member"), value(data, "threshold"), period);
      case "rank.left" ->
          data.containsKey("top")
              ? new MailSentences.LeftTop(value(data, "member"), value(data, "top"), period)
              : new MailSentences.NotHeld(value(data, "member"), value(data, "threshold"), period);
      case "rank.passed" ->
          new MailSentences.Passed(value(data, "by"), value(data, "member"), period);
      case "verification.failed" ->
          new MailSentences.Differing(value(data, "night"), value(data, "differences"));
      case "digest" -> new MailSentences.Digest(value(data, "day"), parts(data));
      default -> Sentence.verbatim(fact.type() + " " + period);
    };
  }

  String body(Fact fact) {
    return String.join("\n", lines(fact))
        + "\n"
        + texts.of(new MailSentences.FactId(fact.id()))
        + "\n";
  }

  private List<String> lines(Fact fact) {
    Map<String, Object> data = fact.data();
    String period = fact.board() + " " + fact.period();
    return switch (fact.type()) {
      case "period.held" -> held(fact, period);
      case "period.failed" ->
          said(
              data.containsKey("step")
                  ? new MailSentences.FailedInStep(period, value(data, "step"))
                  : new MailSentences.Failed(period),
              EMPTY,
              indented(data, "failure"),
              EMPTY,
              new MailSentences.Attempts(value(data, "failures"), value(data, "retryAt")),
              new MailSentences.Details(
                  Commands.of(runs(fact).with("failed", true).with("stack", true))),
              new MailSentences.Retry(command("close", fact)));
      case "period.overdue" ->
          said(
              new MailSentences.WasDue(period, value(data, "closesAt"), value(data, "state")),
              EMPTY,
              new MailSentences.CheckScheduler(Commands.of(runs(fact))));
      case "verification.failed" ->
          said(
              new MailSentences.Found(value(data, "periods"), value(data, "differences")),
              EMPTY,
              indented(data, "first"),
              EMPTY,
              new MailSentences.AllDifferences(Commands.of(Next.of("verify"))));
      case "digest" -> digest(data);
      default -> fields(fact, data);
    };
  }

  private static final Sentence EMPTY = Sentence.verbatim("");

  private List<String> said(Sentence... lines) {
    return List.of(lines).stream().map(texts::of).toList();
  }

  private Sentence indented(Map<String, Object> data, String field) {
    return Sentence.verbatim("  " + text(data.get(field)));
  }

  private List<String> held(Fact fact, String period) {
    Map<String, Object> data = fact.data();
    Object releaseAt = data.get("releaseAt");
    return said(
        releaseAt != null
            ? new MailSentences.HeldForObjections(period)
            : new MailSentences.Held(period),
        EMPTY,
        Sentence.verbatim(
            texts(data, "reasons").stream()
                .map(reason -> "  - " + reason)
                .collect(Collectors.joining("\n"))),
        EMPTY,
        releaseAt != null ? new MailSentences.Released(releaseAt) : new MailSentences.StaysHeld(),
        new MailSentences.Preview(command("preview", fact)),
        new MailSentences.Approve(decision("approve", fact)),
        new MailSentences.Reject(decision("reject", fact)));
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

  private List<String> fields(Fact fact, Map<String, Object> data) {
    var lines = new ArrayList<String>();
    lines.add(texts.of(new MailSentences.At(subjectOf(fact), fact.time())));
    lines.add("");
    data.forEach((field, value) -> lines.add("  %s: %s".formatted(heading(field), value)));
    return lines;
  }

  private static boolean isTrue(Map<String, Object> data, String field) {
    return Boolean.TRUE.equals(data.get(field));
  }

  private static Object value(Map<?, ?> data, String field) {
    Object value = data.get(field);
    return value == null ? "" : value;
  }

  private List<String> texts(Map<String, Object> data, String field) {
    return data.get(field) instanceof List<?> list
        ? list.stream().map(this::text).toList()
        : List.of();
  }

  /** A text, or a sentence as JSON has it. */
  private String text(@Nullable Object value) {
    return value instanceof Map<?, ?> said && said.get("values") instanceof Map<?, ?> values
        ? texts.of(
            Said.of(String.valueOf(said.get("code")), values, String.valueOf(said.get("text"))))
        : String.valueOf(value);
  }

  private static List<Sentence> parts(Map<String, Object> data) {
    if (isTrue(data, "nothingDue")) {
      return List.of(new MailSentences.NothingDue());
    }
    long closed = rows(data, "closed").stream().mapToLong(row -> number(row, "periods")).sum();
    var parts = new ArrayList<Sentence>();
    parts.add(new MailSentences.Part(closed, "settled"));
    for (String part : List.of("failed", "held", "overdue", "unusual")) {
      if (!rows(data, part).isEmpty()) {
        parts.add(new MailSentences.Part(rows(data, part).size(), part));
      }
    }
    return parts;
  }

  /** The report of a day as tables. */
  private List<String> digest(Map<String, Object> data) {
    var lines = new ArrayList<String>();
    lines.add(texts.of(new MailSentences.Span(value(data, "since"), value(data, "until"))));
    if (isTrue(data, "nothingDue")) {
      lines.addAll(List.of("", texts.whole(new MailSentences.NothingDue())));
    }
    table(lines, data, "closed", "board", "periods", "members");
    table(lines, data, "paid", "board", "currency", "amount");
    table(lines, data, "takenBack", "board", "currency", "amount");
    table(lines, data, "failed", "board", "period", "failures", "failure");
    table(lines, data, "held", "board", "period", "state", "reasons");
    table(lines, data, "overdue", "board", "period", "closesAt");
    table(lines, data, "unusual", "board", "period", "what");
    table(lines, data, "lateEvents", "board", "events");
    table(lines, data, "wallet", "kind", "findings");
    if (data.get("walletFailure") instanceof Map<?, ?> failure) {
      lines.addAll(said(EMPTY, new MailSentences.NotCompared(text(failure))));
    }
    lines.addAll(
        said(
            EMPTY,
            new MailSentences.Activity(value(data, "amendments"), value(data, "failedAttempts")),
            data.get("verification") instanceof Map<?, ?> night
                ? new MailSentences.Verified(
                    value(night, "night"), value(night, "periods"), value(night, "differences"))
                : new MailSentences.NotVerified()));
    List<String> links = texts(data, "links");
    if (!links.isEmpty()) {
      lines.addAll(said(EMPTY, new MailSentences.LastLinks()));
      links.forEach(link -> lines.add("  " + Commands.of(Next.of("verify").with("link", link))));
    }
    return lines;
  }

  /** A field as people read it; some have another meaning in a fact than in lists. */
  private String heading(String field) {
    String own = texts.knownWord("mail-column", field);
    return own == null ? OutputTable.heading(texts, field) : own;
  }

  private @Nullable Object cell(String column, @Nullable Object value) {
    if (value instanceof List<?> all) {
      return all.stream().map(this::text).collect(Collectors.joining("; "));
    }
    return column.equals("state") ? texts.word("state", text(value)) : text(value);
  }

  /** An empty table is left out. */
  private void table(List<String> lines, Map<String, Object> data, String name, String... columns) {
    List<Map<?, ?>> rows = rows(data, name);
    if (rows.isEmpty()) {
      return;
    }
    var table = new OutputTable<Map<?, ?>>();
    for (String column : columns) {
      String heading = heading(column);
      if (rows.get(0).get(column) instanceof Number) {
        table.number(heading, row -> row.get(column));
      } else {
        table.text(heading, row -> cell(column, row.get(column)));
      }
    }
    lines.addAll(List.of("", texts.of(new MailSentences.Title(name)), ""));
    table.table(rows).lines().map(line -> " " + line.stripTrailing()).forEach(lines::add);
    if (data.get(name + "Omitted") instanceof Number omitted) {
      lines.add("  " + texts.of(new MailSentences.More(omitted.longValue())));
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
