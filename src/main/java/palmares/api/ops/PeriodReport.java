package palmares.api.ops;

import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.api.http.UnknownSentences;
import palmares.api.ops.Listing.Body;
import palmares.operations.report.FinalLine;
import palmares.operations.report.PalmaresReport;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.operations.report.PeriodNotes;
import palmares.operations.report.PeriodNotes.LossGroup;
import palmares.operations.report.RevisionHistory;
import palmares.operations.report.RevisionHistory.RevisionSummary;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.platform.Refusal;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.output.TerminalText;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Money;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.Scale;
import palmares.rules.calendar.PeriodName;
import palmares.rules.payout.RewardRule;

/** Writes the lines of periods, as tables for people or in columns for programs. */
@Component
public class PeriodReport {
  /** What the report of a period says for people. */
  interface ReportSentences {
    record Span(ZonedDateTime from, ZonedDateTime to, String zone) implements Sentence {}

    record Shown(int revision, String status, String by) implements Sentence {}

    record ShownFor(Sentence shown, String reason) implements Sentence {}

    record Members(long members) implements Sentence {}

    record MoreLines(long lines) implements Sentence {}

    /**
     * @param kind why the order of these members is not known
     */
    record Loss(long first, long last, long points, String kind, Sentence members)
        implements Sentence {}

    record MoreLosses() implements Sentence {}
  }

  private static final int DEFAULT_TOP = 100;
  private static final int MAX_LOSS_GROUPS = 10;

  private final BoardDefinitions definitions;
  private final RevisionHistory history;
  private final PalmaresReport palmares;
  private final PeriodNotes notes;
  private final Periods periods;

  PeriodReport(
      BoardDefinitions definitions,
      RevisionHistory history,
      PalmaresReport palmares,
      PeriodNotes notes,
      Periods periods) {
    this.definitions = definitions;
    this.history = history;
    this.palmares = palmares;
    this.notes = notes;
    this.periods = periods;
  }

  /**
   * The revisions of a period, in their order.
   *
   * @param after only those with higher numbers; null for all
   */
  List<RevisionSummary> revisions(PeriodSummary period, @Nullable Long after, int most) {
    return history.of(period.board(), period.name(), after, most);
  }

  /**
   * Settled periods in the revision in force.
   *
   * @param top the places of each period; null for the default of the format
   */
  Listing settled(List<PeriodSummary> settled, @Nullable Integer top) {
    BoardId board = settled.get(0).board();
    return format -> {
      if (format == OutputFormat.TABLE) {
        int limit = format.limit(top, DEFAULT_TOP);
        return Body.text(out -> write(settled, limit, out));
      }
      List<PeriodName> names = settled.stream().map(PeriodSummary::name).toList();
      return Listing.streamed(
              columns(board, names, null),
              "",
              row -> {
                if (top == null) {
                  palmares.each(board, names, row);
                } else {
                  names.forEach(name -> palmares.top(board, name, top).forEach(row));
                }
              })
          .in(format);
    };
  }

  /**
   * One revision of a period, in any status.
   *
   * @throws Refusal if there is none of that number
   */
  Listing revision(PeriodSummary period, int number, @Nullable Integer top) {
    List<RevisionSummary> found = revisions(period, null, Integer.MAX_VALUE);
    RevisionSummary shown =
        found.stream()
            .filter(one -> one.revision() == number)
            .findAny()
            .orElseThrow(() -> unknown(period, number, found));
    BoardId board = period.board();
    PeriodName name = period.name();
    return format -> {
      int limit = format.limit(top, DEFAULT_TOP);
      if (format == OutputFormat.TABLE) {
        List<FinalLine> lines = history.top(board, name, number, limit);
        long members = history.members(board, name, number);
        return Body.text(out -> write(period, heading(shown), members, lines, out));
      }
      return Listing.streamed(
              columns(board, List.of(name), number),
              "",
              row -> history.first(board, name, number, limit, row))
          .in(format);
    };
  }

  private static Refusal unknown(PeriodSummary period, int number, List<RevisionSummary> found) {
    return Lookup.unknown(
        found.isEmpty()
            ? new UnknownSentences.RevisionYet(period.label(), number, period.state())
            : new UnknownSentences.Revision(
                period.label(), number, found.stream().map(RevisionSummary::revision).toList()));
  }

  private static String heading(RevisionSummary revision) {
    String reason = revision.reason();
    var shown =
        new ReportSentences.Shown(
            revision.revision(), revision.status().replace(' ', '-'), revision.preparedBy());
    return line(reason == null ? shown : new ReportSentences.ShownFor(shown, reason));
  }

  private static String line(Sentence said) {
    return TerminalText.of(Texts.here().of(said)) + "\n";
  }

  /**
   * The first members of a period's present revision, without a heading.
   *
   * @param members the number of all lines
   * @param limit the number of lines to write
   */
  Listing.Body members(Period period, long members, OutputFormat format, int limit) {
    BoardId board = period.board();
    int revision = period.revision();
    if (format == OutputFormat.TABLE) {
      var lines = history.top(board, period.name(), revision, limit);
      return Body.text(out -> writeLines(definitions.of(period), members, lines, out));
    }
    return Listing.streamed(
            columns(board, List.of(period.name()), revision),
            "",
            row -> history.first(board, period.name(), revision, limit, row))
        .in(format);
  }

  /**
   * The columns for programs, according to the rules of the periods.
   *
   * @param revision the revision to show; null for the one in force
   */
  OutputTable<FinalLine> columns(
      BoardId board, List<PeriodName> periods, @Nullable Integer revision) {
    return columns(
        history.rules(board, periods, revision).stream()
            .map(hash -> definitions.of(board, hash))
            .toList());
  }

  /**
   * The columns for programs. Rules with a second key add one column, adopted boards one for lost
   * order, boards that count invites two for the member, and each reward rule adds one.
   */
  static OutputTable<FinalLine> columns(Collection<Board> rules) {
    var columns =
        new OutputTable<FinalLine>()
            .text("period", FinalLine::period)
            .number("rank", FinalLine::rank)
            .text("member", FinalLine::member)
            .number("points", FinalLine::points);
    if (rules.stream().anyMatch(board -> board.scale().thenBy() != null)) {
      columns.number("thenBy", FinalLine::thenBy);
    }
    columns
        .time("reachedAt", FinalLine::reachedAt)
        .summed("credits", line -> line.prizes().credits());
    if (rules.stream().anyMatch(board -> board.kind().mayLoseOrder())) {
      columns.text("loss", FinalLine::loss);
    }
    if (rules.stream().anyMatch(board -> board.invites() != null)) {
      columns.text("nickname", FinalLine::nickname).text("inviteCode", FinalLine::inviteCode);
    }
    rules.stream()
        .flatMap(board -> board.payout().rules().stream())
        .map(RewardRule::name)
        .distinct()
        .forEach(rule -> columns.summed(OutputTable.AWARD + rule, line -> line.awards().get(rule)));
    return columns;
  }

  /** Writes settled periods for people, each under the rules that it closed under. */
  public void write(List<PeriodSummary> settled, int top, Writer writer) throws IOException {
    String separator = "";
    for (PeriodSummary period : settled) {
      writer.write(separator);
      long members = palmares.members(period.board(), period.name());
      write(period, "", members, palmares.top(period.board(), period.name(), top), writer);
      writeNote(period, writer);
      separator = "\n";
    }
  }

  /**
   * Writes one revision of a period for people.
   *
   * @param heading a line about the revision; empty for none
   * @param members the number of all lines
   * @param lines the first of them
   */
  private void write(
      PeriodSummary period, String heading, long members, List<FinalLine> lines, Writer writer)
      throws IOException {
    Board rules = definitions.of(periods.find(period.board(), period.name()).orElseThrow());
    writer.write(
        "%s: %s\n".formatted(period.label(), TerminalText.of(rules.title()))
            + line(
                new ReportSentences.Span(
                    period.startsAt().atZone(rules.zone()),
                    period.endsAt().atZone(rules.zone()),
                    rules.zone().getId()))
            + heading
            + line(new ReportSentences.Members(members)));
    writeLines(rules, members, lines, writer);
  }

  /** Writes the lines for people, without a heading. */
  private void writeLines(Board rules, long members, List<FinalLine> lines, Writer writer)
      throws IOException {
    if (members > 0) {
      writer.write(columnsForPeople(rules, lines).table(lines) + "\n");
    }
    if (members > lines.size()) {
      writer.write(line(new ReportSentences.MoreLines(members - lines.size())));
    }
  }

  private static OutputTable<FinalLine> columnsForPeople(Board rules, List<FinalLine> lines) {
    Scale scale = rules.scale();
    var columns =
        new OutputTable<FinalLine>()
            .number("rank", FinalLine::rank)
            .text("member", FinalLine::member)
            .number("points", FinalLine::points);
    if (scale.thenBy() != null) {
      columns.number(scale.thenBy().name(), FinalLine::thenBy);
    }
    // As text, because times here are shown to the microsecond.
    columns
        .text("reachedAt", line -> line.reachedAt() == null ? "" : line.reachedAt().toString())
        .number("credits", line -> line.prizes().credits());
    if (lines.stream().anyMatch(line -> !line.prizes().others().isEmpty())) {
      columns.said(
          "otherPrizes",
          line -> line.prizes().others(),
          line -> Money.list(line.prizes().others(), BigDecimal::toPlainString));
    }
    if (rules.invites() != null) {
      columns.text("nickname", FinalLine::nickname).text("inviteCode", FinalLine::inviteCode);
    }
    return columns;
  }

  /** Writes what was lost or came late, and the members whose order is not known. */
  private void writeNote(PeriodSummary period, Writer writer) throws IOException {
    List<Sentence> said = notes.of(period.board(), period.name());
    if (said.isEmpty()) {
      return;
    }
    for (Sentence note : said) {
      writer.write(line(new MaintenanceSentences.Note(note)));
    }
    List<LossGroup> groups = notes.losses(period.board(), period.name(), MAX_LOSS_GROUPS + 1);
    for (LossGroup group : groups.subList(0, Math.min(MAX_LOSS_GROUPS, groups.size()))) {
      writer.write("  " + line(said(group)));
    }
    if (groups.size() > MAX_LOSS_GROUPS) {
      writer.write("  " + line(new ReportSentences.MoreLosses()));
    }
  }

  private static Sentence said(LossGroup group) {
    long more = group.members() - group.first().size();
    return new ReportSentences.Loss(
        group.firstPlace(),
        group.firstPlace() + group.members() - 1,
        group.points(),
        group.kind(),
        more > 0
            ? new ListSentences.First(group.first(), more)
            : new ListSentences.All(group.first()));
  }
}
