package palmares.api.ops;

import static java.time.ZoneOffset.UTC;

import java.time.Clock;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import palmares.api.ops.Listing.Body;
import palmares.api.ops.Listing.Status;
import palmares.api.ops.Lookup.Range;
import palmares.api.roles.Caller;
import palmares.operations.replay.Replays;
import palmares.operations.replay.Replays.Replay;
import palmares.operations.replay.Replays.ReplayRow;
import palmares.operations.report.MonthReport;
import palmares.operations.report.MonthReport.Month;
import palmares.operations.report.PayoutReport;
import palmares.operations.report.PayoutReport.EarlierFiles;
import palmares.operations.report.PayoutReport.OverlappingFile;
import palmares.operations.report.PayoutReport.Payout;
import palmares.operations.report.PayoutReport.PayoutLine;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;

@RestController
class PayoutController implements PayoutResource {
  private static final OutputTable<PayoutRow> COLUMNS =
      OutputTable.of(PayoutRow.class).totalsBy("currency");

  private static final int MAX_LINES_IN_TABLE = 100;

  private static final OutputTable<ReplayRow> REPLAY = OutputTable.of(ReplayRow.class);
  private static final int DEFAULT_TOP = 10;
  private static final int MAX_TOP = 1_000;

  private final Lookup lookup;
  private final PayoutReport payouts;
  private final MonthReport months;
  private final Replays replays;
  private final Clock clock;

  PayoutController(
      Lookup lookup, PayoutReport payouts, MonthReport months, Replays replays, Clock clock) {
    this.replays = replays;
    this.lookup = lookup;
    this.payouts = payouts;
    this.months = months;
    this.clock = clock;
  }

  private static PayoutRow row(Payout payout, PayoutLine line) {
    return new PayoutRow(payout.reference(line), line);
  }

  @Override
  public Rows<PayoutRow> period(
      String board, String period, @Nullable Integer revision, @Nullable Integer count) {
    PeriodSummary found = lookup.settled(board, period);
    Payout payout = payouts.ofPeriod(found.board(), found.name(), revision);
    if (revision != null && payout.outcomes().isEmpty()) {
      throw Lookup.unknown(new PayoutSentences.NotPosted(found.label(), revision));
    }
    return listing(payout, 0, false, count);
  }

  @Override
  public Rows<PayoutRow> board(
      String board, @Nullable String from, @Nullable String to, @Nullable Integer count) {
    BoardId id = lookup.board(board);
    Range range = Lookup.range(from, to, lookup.zone(board));
    Instant now = clock.instant();
    return listing(
        payouts.ofBoard(id, range.from(), range.to()),
        payouts.unsettled(id, range.from(), range.to(), now),
        payouts.isOpen(id, range.from(), range.to(), now),
        count);
  }

  @Override
  public Rows<PayoutRow> month(String month, String zone, @Nullable Integer count) {
    Month asked = Lookup.month(month, zone);
    long unsettled =
        months.periods(asked).stream().mapToLong(one -> one.held() + one.unsettled()).sum();
    Instant now = clock.instant();
    return listing(payouts.ofMonth(asked, now), unsettled, !asked.isOver(now), count);
  }

  @Override
  public Rows<ReplayRow> replay(String board, ReplayRequest body) {
    BoardId id = lookup.board(board);
    Board rules = AmendmentController.rules(id, Lookup.required("rules", body.rules()));
    Range range = Lookup.range(body.from(), body.to(), rules.zone());
    int top = body.top() == null ? DEFAULT_TOP : Lookup.within(1, MAX_TOP, "top", body.top());
    Replay replay = replays.of(id, rules, range.from(), range.to(), top);
    return Listing.of(REPLAY, "", replay.rows()).noted(replay.notes());
  }

  private List<Sentence> notes(Payout payout, long unsettled, boolean isOpen) {
    var notes = new ArrayList<Sentence>();
    payouts
        .sums(payout)
        .forEach(
            sum ->
                notes.add(
                    new PayoutSentences.Kept(
                        sum.currency(),
                        sum.paid(),
                        sum.takenBack(),
                        sum.paid().subtract(sum.takenBack()))));
    if (unsettled > 0) {
      notes.add(new PayoutSentences.NotIncluded(unsettled));
    }
    if (isOpen) {
      notes.add(new PayoutSentences.NotOver(payout.reference()));
    }
    // What to do comes first, because a long note is cut at its end.
    payouts.earlierFiles(payout).ifPresent(files -> notes.add(note(files, payout)));
    List<OverlappingFile> files = payouts.overlapping(payout);
    for (OverlappingFile file : files) {
      notes.add(
          new PayoutSentences.PayOne(
              file.reference(), file.shared(), file.madeBy(), file.madeAt().atZone(UTC)));
    }
    long more = payouts.countOverlapping(payout) - files.size();
    if (more > 0) {
      notes.add(new PayoutSentences.MoreFiles(more));
    }
    return notes;
  }

  private static Sentence note(EarlierFiles earlier, Payout payout) {
    ZonedDateTime at = earlier.madeAt().atZone(UTC);
    int all = payout.outcomes().size();
    return earlier.files() == 1
        ? new PayoutSentences.PayDifference(earlier.madeBy(), at, earlier.shared(), all)
        : new PayoutSentences.PayRest(earlier.files(), earlier.madeBy(), at, earlier.shared(), all);
  }

  /** Whether only the headers of a file are asked for, so that nobody can pay by it. */
  private static boolean isHead() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request
        && request.getRequest().getMethod().equals("HEAD");
  }

  private Rows<PayoutRow> listing(
      Payout payout, long unsettled, boolean isOpen, @Nullable Integer count) {
    Lookup.requireCount("count", count);
    String by = Caller.get().name();
    return format -> {
      if (format != OutputFormat.TABLE) {
        // First, so that of two files made at once at least one names the other.
        if (!isHead()) {
          payouts.keep(payout, by, clock.instant());
        }
        return Listing.streamed(
                COLUMNS, "", row -> payouts.each(payout, line -> row.accept(row(payout, line))))
            .noted(notes(payout, unsettled, isOpen))
            .in(format);
      }
      List<Sentence> notes = notes(payout, unsettled, isOpen);
      var shown = new ArrayList<PayoutRow>();
      long[] more = {0};
      int limit = format.limit(count, MAX_LINES_IN_TABLE);
      payouts.each(
          payout,
          line -> {
            if (shown.size() < limit) {
              shown.add(row(payout, line));
            } else {
              more[0]++;
            }
          });
      if (more[0] > 0) {
        notes.add(new PayoutSentences.MoreLines(more[0]));
      }
      Body body = Listing.of(COLUMNS, "postings", shown).in(format);
      return new Body(body.content(), Status.OK, notes, null);
    };
  }
}
