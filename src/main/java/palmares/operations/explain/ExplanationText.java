package palmares.operations.explain;

import static palmares.platform.text.DisplayFormat.number;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import palmares.operations.explain.Explanation.CurvePoint;
import palmares.operations.explain.Explanation.Journal;
import palmares.operations.explain.Explanation.MemberInfo;
import palmares.operations.explain.Explanation.PeriodInfo;
import palmares.operations.explain.Explanation.Prize;
import palmares.operations.explain.Explanation.Standing;
import palmares.operations.explain.Explanation.Step;
import palmares.operations.explain.Explanation.Tie;
import palmares.operations.explain.Explanation.Ties;
import palmares.operations.explain.Explanation.Transfer;
import palmares.platform.text.DisplayFormat;
import palmares.platform.text.Texts;

/** Writes an explanation for a terminal, line by line. */
public final class ExplanationText {
  private static final int COLUMNS = 60;
  private final Explanation explanation;
  private final DateTimeFormatter local;
  private final Texts said = Texts.here();
  private final List<String> lines = new ArrayList<>();

  private ExplanationText(Explanation explanation) {
    this.explanation = explanation;
    this.local = local(explanation);
  }

  /** The lines. Ids and reasons in them are not escaped. */
  public static List<String> of(Explanation explanation) {
    var text = new ExplanationText(explanation);
    text.head();
    text.journal();
    text.explanation.ends().forEach(text::standing);
    text.ties();
    text.transfers();
    text.late();
    return text.lines;
  }

  private void head() {
    var period = explanation.period();
    add("%s in %s: %s", explanation.who().member(), period.label(), period.title());
    add(
        "from %s to %s (%s), %s; %s",
        local.format(period.startsAt()),
        local.format(period.endsAt()),
        period.zone(),
        period.state(),
        said.of(period.rules()));
    add(who(explanation.who()));
    add(
        "as of %s; times are of %s, those with a Z in UTC",
        local.format(period.asOf()), period.zone());
  }

  /** Formats times in the zone of the period. */
  static DateTimeFormatter local(Explanation explanation) {
    return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
        .withZone(ZoneId.of(explanation.period().zone()));
  }

  static String who(MemberInfo who) {
    return who.registeredAt() == null
        ? "has not registered"
        : "registered%s at %s%s%s"
            .formatted(
                who.nickname() == null ? "" : " as " + who.nickname(),
                who.registeredAt(),
                who.inviteCode() == null ? "" : ", invite code " + who.inviteCode(),
                who.inviter() == null ? "" : ", invited by " + who.inviter());
  }

  private void journal() {
    Journal journal = explanation.journal();
    title("Events: " + number(journal.total()));
    if (journal.note() != null) {
      add(said.of(journal.note()));
    }
    if (!journal.curve().isEmpty()) {
      PointsCurve curve = PointsCurve.of(explanation.period(), journal.curve());
      add(
          "|%-60s| points over the period, %s at the most",
          curve.line(COLUMNS), number(curve.most()));
    }
    if (journal.leftOut() > 0) {
      add(
          "%s left out: --events N",
          DisplayFormat.count(journal.leftOut(), "earlier event is", "earlier events are"));
    }
    int widest =
        journal.steps().stream().mapToInt(step -> said.of(step.action()).length()).max().orElse(1);
    for (Step step : journal.steps()) {
      add(
          "%s  %-" + Math.min(widest, COLUMNS) + "s  %-15s %8s  %8s",
          local.format(step.at()),
          said.of(step.action()),
          step.outcome(),
          step.change() == 0 ? "" : String.format(Locale.ROOT, "%+,d", step.change()),
          number(step.points()));
    }
  }

  private void standing(Standing end) {
    title(name(end));
    end.said().forEach(one -> add(said.of(one)));
    add(placeAndPoints(end));
    if (end.excluded() != null) {
      add("excluded: %s", said.of(end.excluded()));
    }
    end.corrections().forEach(correction -> add("corrected: %s", said.of(correction)));
    for (Prize prize : end.prizes()) {
      add(
          "%s %s by %s: %s",
          number(prize.credits()), prize.currency(), prize.rule(), said.of(prize.why()));
    }
    if (end.nothing() != null) {
      add(nothing(end));
    }
  }

  static String name(Standing end) {
    return end.revision() == 0 ? "Now" : "Revision %d, %s".formatted(end.revision(), end.status());
  }

  static String nothing(Standing end) {
    return (end.revision() == 0 ? "" : "no prize: ")
        + (end.nothing() == null ? "" : Texts.here().of(end.nothing()));
  }

  static String placeAndPoints(Standing end) {
    return end.place() == null
        ? "no line on the board"
        : "%s, place %s: %s points%s%s"
            .formatted(
                end.rank() == null ? "no rank" : "rank " + number(end.rank()),
                number(end.place()),
                points(end.points()),
                end.thenBy() == null ? "" : ", " + Texts.here().of(end.thenBy()),
                end.reachedAt() == null ? "" : ", reached at " + end.reachedAt());
  }

  static String tied(Ties ties) {
    return "As many points: %s %s"
        .formatted(number(ties.others()), ties.others() == 1 ? "other" : "others");
  }

  private static String points(@Nullable Long points) {
    return points == null ? "" : number(points);
  }

  private void ties() {
    if (!explanation.ties().near().isEmpty()) {
      title(tied(explanation.ties()));
      for (Tie tie : explanation.ties().near()) {
        add("%s, place %s, %s", tie.member(), number(tie.place()), said.of(tie.why()));
      }
    }
  }

  private void transfers() {
    if (!explanation.transfers().isEmpty()) {
      title("Transfers");
      for (Transfer transfer : explanation.transfers()) {
        add(
            "%s  revision %d  %-9s %s %s by %s, from %s to %s",
            local.format(transfer.at()),
            transfer.revision(),
            transfer.purpose(),
            number(transfer.amount()),
            transfer.currency(),
            transfer.rule(),
            transfer.from(),
            transfer.to());
      }
    }
  }

  private void late() {
    if (!explanation.late().isEmpty()) {
      title("Late events");
      for (Explanation.Late late : explanation.late()) {
        add(
            "%s, %s, happened at %s and came at %s: %s",
            late.id(),
            said.of(late.action()),
            local.format(late.occurredAt()),
            local.format(late.arrivedAt()),
            said.list(late.why()));
      }
    }
  }

  private void title(String title) {
    lines.add("");
    lines.add(title);
  }

  private void add(String format, Object... values) {
    lines.add(values.length == 0 ? format : String.format(Locale.ROOT, format, values));
  }

  /**
   * Draws points over a period, as steps in a line of text.
   *
   * @param curve in order of time; may be empty
   * @param most the most points, at least 1
   */
  record PointsCurve(Instant from, Instant to, List<CurvePoint> curve, long most) {
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";

    static PointsCurve of(PeriodInfo period, List<CurvePoint> curve) {
      long most = curve.stream().mapToLong(CurvePoint::points).max().orElse(1);
      return new PointsCurve(period.startsAt(), period.endsAt(), curve, Math.max(1, most));
    }

    /** One line of block characters, at most this many columns; blank before the first event. */
    String line(int columns) {
      var line = new StringBuilder();
      int at = 0;
      for (int column = 0; column < columns; column++) {
        while (at < curve.size() && share(curve.get(at).at()) * columns < column + 1) {
          at++;
        }
        line.append(at == 0 ? ' ' : block(curve.get(at - 1).points()));
      }
      return line.toString().stripTrailing();
    }

    private char block(long points) {
      double share = Math.max(0, points) / (double) most;
      return BLOCKS.charAt((int) Math.round(share * (BLOCKS.length() - 1)));
    }

    private double share(Instant at) {
      double share =
          Duration.between(from, at).toMillis() / (double) Duration.between(from, to).toMillis();
      return Math.min(1, Math.max(0, share));
    }
  }
}
