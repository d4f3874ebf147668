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
import palmares.platform.text.Sentence;
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
    add(inPeriod(explanation));
    add(new ExplanationSentences.Span(time(explanation), period.state(), period.rules()));
    add(who(explanation.who()));
    lines.add(said.of(new ExplanationSentences.Label("as-of")) + " " + said.of(asOf(explanation)));
  }

  private static Sentence inPeriod(Explanation explanation) {
    PeriodInfo period = explanation.period();
    return new ExplanationSentences.InPeriod(
        explanation.who().member(), period.label(), period.title());
  }

  private static Sentence time(Explanation explanation) {
    PeriodInfo period = explanation.period();
    DateTimeFormatter local = local(explanation);
    return new ExplanationSentences.Time(
        local.format(period.startsAt()), local.format(period.endsAt()), period.zone());
  }

  private static Sentence asOf(Explanation explanation) {
    PeriodInfo period = explanation.period();
    return new ExplanationSentences.AsOf(local(explanation).format(period.asOf()), period.zone());
  }

  /** Formats times in the zone of the period. */
  private static DateTimeFormatter local(Explanation explanation) {
    return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
        .withZone(ZoneId.of(explanation.period().zone()));
  }

  private static Sentence who(MemberInfo who) {
    Instant at = who.registeredAt();
    String nickname = who.nickname();
    String code = who.inviteCode();
    String inviter = who.inviter();
    return at == null
        ? new ExplanationSentences.NotRegistered()
        : new ExplanationSentences.Registered(
            nickname == null ? null : new ExplanationSentences.As(nickname),
            at,
            code == null ? null : new ExplanationSentences.InviteCode(code),
            inviter == null ? null : new ExplanationSentences.InvitedBy(inviter));
  }

  private void journal() {
    Journal journal = explanation.journal();
    title(new ExplanationSentences.Events(journal.total()));
    if (journal.note() != null) {
      add(journal.note());
    }
    if (!journal.curve().isEmpty()) {
      PointsCurve curve = PointsCurve.of(explanation.period(), journal.curve());
      add("|%-60s| %s", curve.line(COLUMNS), said.of(new ExplanationSentences.Curve(curve.most())));
    }
    if (journal.leftOut() > 0) {
      add(new ExplanationSentences.LeftOut(journal.leftOut()));
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
    end.said().forEach(this::add);
    add(placeAndPoints(end));
    if (end.excluded() != null) {
      add(new ExplanationSentences.ExcludedBy(end.excluded()));
    }
    end.corrections().forEach(why -> add(new ExplanationSentences.CorrectedBy(why)));
    for (Prize prize : end.prizes()) {
      add(
          new ExplanationSentences.Prize(
              prize.credits(), prize.currency(), prize.rule(), prize.why()));
    }
    Sentence nothing = nothing(end);
    if (nothing != null) {
      add(nothing);
    }
  }

  private static Sentence name(Standing end) {
    return end.revision() == 0
        ? new ExplanationSentences.Now()
        : new ExplanationSentences.OfRevision(
            end.revision(), String.valueOf(end.status()).replace(' ', '-'));
  }

  private static @Nullable Sentence nothing(Standing end) {
    Sentence why = end.nothing();
    return why == null || end.revision() == 0 ? why : new ExplanationSentences.Unpaid(why);
  }

  private static Sentence placeAndPoints(Standing end) {
    Long place = end.place();
    Long rank = end.rank();
    Sentence thenBy = end.thenBy();
    Instant reachedAt = end.reachedAt();
    return place == null
        ? new ExplanationSentences.Unlisted()
        : new ExplanationSentences.AtPlace(
            rank == null
                ? new ExplanationSentences.Unranked()
                : new ExplanationSentences.Rank(rank),
            place,
            end.points(),
            thenBy == null ? null : new ExplanationSentences.Also(thenBy),
            reachedAt == null ? null : new ExplanationSentences.ReachedAt(reachedAt));
  }

  private static Sentence tied(Ties ties) {
    return new ExplanationSentences.Tied(ties.others());
  }

  private void ties() {
    if (!explanation.ties().near().isEmpty()) {
      title(tied(explanation.ties()));
      for (Tie tie : explanation.ties().near()) {
        add(new ExplanationSentences.TiedWith(tie.member(), tie.place(), tie.why()));
      }
    }
  }

  private void transfers() {
    if (!explanation.transfers().isEmpty()) {
      title(new ExplanationSentences.Label("transfers"));
      for (Transfer transfer : explanation.transfers()) {
        add(
            "%s  %s",
            local.format(transfer.at()),
            said.of(
                new ExplanationSentences.Transferred(
                    transfer.revision(),
                    transfer.purpose(),
                    transfer.amount(),
                    transfer.currency(),
                    transfer.rule(),
                    new ExplanationSentences.FromTo(transfer.from(), transfer.to()))));
      }
    }
  }

  private void late() {
    if (!explanation.late().isEmpty()) {
      title(new ExplanationSentences.Label("late-events"));
      for (Explanation.Late late : explanation.late()) {
        add(
            new ExplanationSentences.Late(
                late.id(),
                late.action(),
                local.format(late.occurredAt()),
                local.format(late.arrivedAt()),
                late.why()));
      }
    }
  }

  private void title(Sentence title) {
    lines.add("");
    add(title);
  }

  private void add(Sentence line) {
    lines.add(said.of(line));
  }

  private void add(String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
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
