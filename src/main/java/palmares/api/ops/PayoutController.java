package palmares.api.ops;

import java.time.Clock;
import java.time.Instant;
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
import palmares.operations.report.MonthReport;
import palmares.operations.report.MonthReport.Month;
import palmares.operations.report.PayoutReport;
import palmares.operations.report.PayoutReport.EarlierFiles;
import palmares.operations.report.PayoutReport.OverlappingFile;
import palmares.operations.report.PayoutReport.Payout;
import palmares.operations.report.PayoutReport.PayoutLine;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;
import palmares.rules.board.BoardId;

@RestController
class PayoutController implements PayoutResource {
  private static final int MAX_LINES_IN_TABLE = 100;

  private final Lookup lookup;
  private final PayoutReport payouts;
  private final MonthReport months;
  private final Clock clock;

  PayoutController(Lookup lookup, PayoutReport payouts, MonthReport months, Clock clock) {
    this.lookup = lookup;
    this.payouts = payouts;
    this.months = months;
    this.clock = clock;
  }

  private static OutputTable<PayoutLine> columns(Payout payout) {
    return new OutputTable<PayoutLine>()
        .text("reference", payout::reference)
        .text("member", PayoutLine::member)
        .text("currency", PayoutLine::currency)
        .summed("transfers", PayoutLine::transfers)
        .summed("paid", PayoutLine::paid)
        .summed("taken_back", PayoutLine::takenBack)
        .summed("net", PayoutLine::net)
        .summed("owed", PayoutLine::owed)
        .summed("written_off", PayoutLine::writtenOff)
        .summed("restored", PayoutLine::restored)
        .time("posted_at", PayoutLine::postedAt)
        .totalsBy("currency");
  }

  @Override
  public Listing period(
      String board, String period, @Nullable Integer revision, @Nullable Integer count) {
    PeriodSummary found = lookup.settled(board, period);
    Payout payout = payouts.ofPeriod(found.board(), found.name(), revision);
    if (revision != null && payout.outcomes().isEmpty()) {
      throw Lookup.unknown("%s has posted no revision %d".formatted(found.label(), revision));
    }
    return listing(payout, 0, false, count);
  }

  @Override
  public Listing board(
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
  public Listing month(String month, String zone, @Nullable Integer count) {
    Month asked = Lookup.month(month, zone);
    long unsettled =
        months.periods(asked).stream().mapToLong(one -> one.held() + one.unsettled()).sum();
    Instant now = clock.instant();
    return listing(payouts.ofMonth(asked, now), unsettled, !asked.isOver(now), count);
  }

  private List<String> notes(Payout payout, long unsettled, boolean isOpen) {
    var notes = new ArrayList<String>();
    payouts
        .sums(payout)
        .forEach(
            sum ->
                notes.add(
                    "%s: members got %,d and gave back %,d, so they keep %,d"
                        .formatted(
                            sum.currency(),
                            sum.paid().toBigIntegerExact(),
                            sum.takenBack().toBigIntegerExact(),
                            sum.paid().subtract(sum.takenBack()).toBigIntegerExact())));
    if (unsettled > 0) {
      notes.add(
          DisplayFormat.count(
              unsettled,
              "period that is due is not settled, and so not in it",
              "periods that are due are not settled, and so not in it"));
    }
    if (isOpen) {
      notes.add(
          "%s is not over: sums under these references still grow; pay by a file made after it, or"
                  .formatted(payout.reference())
              + " by each file only what no earlier one has");
    }
    // What to do comes first, because a long note is cut at its end.
    payouts.earlierFiles(payout).ifPresent(files -> notes.add(note(files, payout)));
    List<OverlappingFile> files = payouts.overlapping(payout);
    for (OverlappingFile file : files) {
      notes.add(
          "pay only one of this file and %s: %,d of its posted revisions %s in both; %s made that"
                  .formatted(
                      file.reference(),
                      file.shared(),
                      file.shared() == 1 ? "is" : "are",
                      file.madeBy())
              + " one at %s".formatted(file.madeAt()));
    }
    long more = payouts.countOverlapping(payout) - files.size();
    if (more > 0) {
      notes.add(
          DisplayFormat.count(more, "more file has", "more files have")
              + " some of its posted revisions, too");
    }
    return notes;
  }

  private static String note(EarlierFiles earlier, Payout payout) {
    return (earlier.files() == 1
            ? "pay only the difference: %s made this file before, at %s,"
                .formatted(earlier.madeBy(), earlier.madeAt())
            : "pay only what none of the %,d earlier files has: %s made the latest at %s"
                .formatted(earlier.files(), earlier.madeBy(), earlier.madeAt()))
        + " with %,d of its %,d posted revisions"
            .formatted(earlier.shared(), payout.outcomes().size());
  }

  /** Whether only the headers of a file are asked for, so that nobody can pay by it. */
  private static boolean isHead() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request
        && request.getRequest().getMethod().equals("HEAD");
  }

  private Listing listing(Payout payout, long unsettled, boolean isOpen, @Nullable Integer count) {
    Lookup.requireCount("count", count);
    OutputTable<PayoutLine> columns = columns(payout);
    String by = Caller.get().name();
    return format -> {
      if (format != OutputFormat.TABLE) {
        // First, so that of two files made at once at least one names the other.
        if (!isHead()) {
          payouts.keep(payout, by, clock.instant());
        }
        return Listing.streamed(columns, "", row -> payouts.each(payout, row))
            .with(notes(payout, unsettled, isOpen))
            .in(format);
      }
      List<String> notes = notes(payout, unsettled, isOpen);
      var shown = new ArrayList<PayoutLine>();
      long[] more = {0};
      int limit = format.limit(count, MAX_LINES_IN_TABLE);
      payouts.each(
          payout,
          line -> {
            if (shown.size() < limit) {
              shown.add(line);
            } else {
              more[0]++;
            }
          });
      var all = new ArrayList<>(notes);
      if (more[0] > 0) {
        all.add(
            DisplayFormat.count(more[0], "more line", "more lines")
                + ": --count N shows more, --format csv all");
      }
      Body body = Listing.of(columns, "nothing was posted", shown).in(format);
      return new Body(body.content(), Status.OK, Result.verbatim(all), null);
    };
  }
}
