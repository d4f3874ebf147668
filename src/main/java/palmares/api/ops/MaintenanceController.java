package palmares.api.ops;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.live.board.LiveRebuild.ChangedLine;
import palmares.live.journal.Journal;
import palmares.live.journal.Quarantine;
import palmares.live.journal.Quarantine.Position;
import palmares.live.journal.Quarantine.QuarantinedEntry;
import palmares.live.journal.Quarantine.Resolution;
import palmares.operations.rebuild.GivenUp;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Acknowledgement;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.operations.rebuild.Rebuild.RebuildResult;
import palmares.operations.rebuild.RebuildSentences;
import palmares.operations.report.PeriodNotes;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.VerbRequest;
import palmares.period.Period;
import palmares.period.Repair;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

@RestController
class MaintenanceController implements MaintenanceResource {
  /** More than the 20 seconds after which the lease of a killed process ends. */
  private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(30);

  private static final int QUARANTINE_CURSOR_KEYS = 3;
  private static final OutputTable<QuarantinedEntry> QUARANTINE =
      OutputTable.of(QuarantinedEntry.class);

  private final Tasks tasks;
  private final Lookup lookup;
  private final PeriodFinder finder;
  private final PeriodNotes notes;
  private final Rebuild rebuild;
  private final Journal journal;
  private final Quarantine quarantine;

  MaintenanceController(
      Tasks tasks,
      Lookup lookup,
      PeriodFinder finder,
      PeriodNotes notes,
      Rebuild rebuild,
      Journal journal,
      Quarantine quarantine) {
    this.tasks = tasks;
    this.lookup = lookup;
    this.finder = finder;
    this.notes = notes;
    this.rebuild = rebuild;
    this.journal = journal;
    this.quarantine = quarantine;
  }

  @Override
  public Task rebuild(String board, String period, RebuildRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Period found = finder.find(board, period);
    Present present = body.replace() ? Present.REPLACE : Present.REFUSE;
    var order =
        new VerbRequest("rebuild", found, reason, body)
            .with("replace", body.replace())
            .with("acceptLoss", body.acceptLoss());
    return tasks.later(
        call.compared(),
        order,
        by -> requireRebuildable(found, present, call),
        by -> {
          requireRebuildable(found, present, call);
          return Result.done(
              new RebuildSentences.Would(
                  found.label(), found.state().word(), journal.position(found.id())));
        },
        (by, progress) -> {
          Acknowledgement loss = body.acceptLoss() ? new Acknowledgement(by, reason) : null;
          Runnable condition = tasks.recording(finder.unchanged(found, call), order, by);
          return describe(found, rebuild(found, present, loss, condition, progress));
        });
  }

  private RebuildResult rebuild(
      Period period,
      Present present,
      @Nullable Acknowledgement loss,
      Runnable condition,
      Tasks.Progress progress) {
    return new BusyRetry(BUSY_TIMEOUT)
        .until(
            Optional::isPresent,
            () ->
                rebuild.run(
                    period.id(),
                    present,
                    loss,
                    condition,
                    Tasks.everyTenSeconds(
                        done -> progress.say(new RebuildSentences.Progress(done)))))
        .orElseThrow(
            () -> new Refusal(Problem.PERIOD_BUSY, new RebuildSentences.Busy(period.label())));
  }

  private void requireRebuildable(Period period, Present present, Call call) {
    finder.requireUnchanged(period, call);
    finder.requireBegun(period);
    rebuild.requireRebuildable(period, present);
  }

  private Result describe(Period period, RebuildResult rebuilt) {
    String label = period.label();
    String state = rebuilt.state().word();
    var said = new ArrayList<Sentence>();
    said.add(
        rebuild.replays(period)
            ? new RebuildSentences.Done(label, rebuilt.events(), state)
            : new RebuildSentences.GoesOn(label, state));
    if (rebuilt.strays() > 0) {
      said.add(new RebuildSentences.DecidedAfter(rebuilt.strays()));
    }
    if (!rebuilt.refused().isEmpty()) {
      said.add(new RebuildSentences.RefusedNow(rebuilt.refused().size(), rebuilt.refused()));
    }
    GivenUp givenUp = rebuilt.givenUp();
    if (givenUp != null) {
      said.add(givenUp.said());
      givenUp.lines().forEach(line -> said.add(changed(line)));
    }
    if (rebuilt.wasLost()) {
      said.add(new RebuildSentences.WasLost(journal.last(period)));
    }
    notes
        .of(period.board(), period.name())
        .forEach(note -> said.add(new MaintenanceSentences.Note(note)));
    return new Result(Task.State.DONE, said);
  }

  private static Sentence changed(ChangedLine line) {
    Long now = line.now();
    return now == null
        ? new RebuildSentences.MemberGone(line.member(), line.before())
        : new RebuildSentences.MemberChanged(line.member(), line.before(), now);
  }

  @Override
  public Rows<QuarantinedEntry> quarantine(
      @Nullable String board, @Nullable String period, boolean all, PageRequest page) {
    BoardId only = lookup.boardOrAll(board);
    PeriodName name =
        period == null ? null : lookup.period(Lookup.boardOf(only, period).value(), period).name();
    return Listing.page(
        QUARANTINE,
        "quarantine",
        page,
        Listing.DEFAULT_COUNT,
        QUARANTINE_CURSOR_KEYS,
        (cursor, most) -> quarantine.list(only, name, all, position(cursor), most),
        last -> PageCursor.of(last.board(), last.startsAt(), last.number()));
  }

  private static @Nullable Position position(@Nullable PageCursor cursor) {
    return cursor == null ? null : new Position(cursor.key(0), cursor.time(1), cursor.number(2));
  }

  @Override
  public Task release(String board, String period, Entries body, Call call) {
    return resolve(Resolution.RELEASED, board, period, body, call);
  }

  @Override
  public Task discard(String board, String period, Entries body, Call call) {
    return resolve(Resolution.DISCARDED, board, period, body, call);
  }

  private Task resolve(
      Resolution resolution, String board, String periodWord, Entries body, Call call) {
    String reason = Lookup.reason(body.reason());
    List<Long> numbers = Lookup.required("numbers", body.numbers());
    if (numbers.isEmpty()) {
      throw Lookup.invalid("numbers", new MaintenanceSentences.NoNumbers());
    }
    Period period = finder.find(board, periodWord);
    return tasks.now(
        call.compared(),
        new VerbRequest(resolution.word() + "-entries", board, periodWord, reason, body),
        by -> {
          finder.unchanged(period, call).run();
          boolean isReleased = resolution == Resolution.RELEASED;
          var said = new ArrayList<Sentence>();
          for (long number : numbers) {
            quarantine.resolve(period, number, resolution, by, reason);
            said.add(
                isReleased
                    ? new MaintenanceSentences.Released(period.label(), number)
                    : new MaintenanceSentences.Discarded(period.label(), number));
          }
          if (isReleased) {
            return new Result(Task.State.DONE, said);
          }
          said.add(new MaintenanceSentences.StillOnBoard(period.label()));
          return new Result(Task.State.DONE, said)
              .then(Repair.REPLACE.next(period.board(), period.name()));
        });
  }
}
