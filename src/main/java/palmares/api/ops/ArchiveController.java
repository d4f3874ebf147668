package palmares.api.ops;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.operations.archive.ArchiveSentences;
import palmares.operations.archive.Archives;
import palmares.operations.archive.Archives.Archived;
import palmares.operations.report.PeriodList;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.Tasks.Progress;
import palmares.operations.tasks.VerbRequest;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;

@RestController
class ArchiveController implements ArchiveResource {
  /** A task keeps no more lines of each kind. */
  private static final int MAX_LINES = 1_000;

  private final Tasks tasks;
  private final Lookup lookup;
  private final Periods periods;
  private final PeriodList list;
  private final Archives archives;

  ArchiveController(
      Tasks tasks, Lookup lookup, Periods periods, PeriodList list, Archives archives) {
    this.tasks = tasks;
    this.lookup = lookup;
    this.periods = periods;
    this.list = list;
    this.archives = archives;
  }

  @Override
  public Task archive(ArchiveRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    BoardId board = lookup.boardOrAll(body.board(), body.all());
    Instant before =
        Lookup.required("before", Lookup.time("before", body.before(), ZoneOffset.UTC));
    VerbRequest order =
        new VerbRequest("archive", body.board(), null, reason, body)
            .with("before", body.before())
            .with("drop", body.drop())
            .recordedFirst();
    return tasks.later(
        call,
        order,
        by -> archives.folder(),
        by -> {
          archives.folder();
          List<PeriodId> found = archives.before(before, board);
          return each(
                  found,
                  ArchiveSentences.WouldBeArchived::new,
                  period -> planned(period, body.drop()),
                  left -> null,
                  done -> {})
              .changing(() -> changes(found, body.drop()));
        },
        (by, progress) -> {
          Path folder = archives.folder();
          List<PeriodId> found = archives.before(before, board);
          if (call.isConditional()) {
            call.requireShown(order.verb(), changes(found, body.drop()));
          }
          return each(
              found,
              ArchiveSentences.Archived::new,
              period ->
                  described(
                      period,
                      body.drop()
                          ? archives.move(period, folder, by, reason)
                          : archives.write(period, folder, by, reason)),
              stop(by, progress),
              progress::say);
        });
  }

  private List<String> changes(List<PeriodId> found, boolean drop) {
    return list.versions(found).stream().map(period -> period.line() + " drop " + drop).toList();
  }

  private Sentence planned(PeriodId period, boolean drop) {
    if (drop) {
      archives.requireDeletable(period);
      return new ArchiveSentences.PlannedDrop(label(period));
    }
    return new ArchiveSentences.Planned(label(period));
  }

  private Sentence described(PeriodId period, Archived archived) {
    return new ArchiveSentences.Written(
        label(period),
        archived.rows(),
        archived.bytes(),
        archived.file().toString(),
        archived.dropped() == 0 ? null : new ArchiveSentences.Dropped(archived.dropped()));
  }

  private String label(PeriodId period) {
    return periods.get(period).label();
  }

  @Override
  public Task check(ArchiveCheck body, Call call) {
    String reason = Lookup.reason(body.reason());
    BoardId board = lookup.boardOrAll(body.board());
    return tasks.later(
        call,
        new VerbRequest("check-archive", body.board(), null, reason, body).recordedFirst(),
        by -> archives.folder(),
        by -> Result.done(new ArchiveSentences.CheckChangesNothing()),
        (by, progress) -> {
          Path folder = archives.folder();
          return each(
              archives.recorded(board),
              ArchiveSentences.AsArchived::new,
              recorded -> {
                archives.check(folder, recorded);
                return null;
              },
              stop(by, progress),
              progress::say);
        });
  }

  /** Says why the caller may not go on, and how much is left; null while the caller may. */
  private static LongFunction<@Nullable Sentence> stop(String by, Progress progress) {
    return left -> progress.mayGoOn() ? null : new ArchiveSentences.Left(by, left);
  }

  /** Says how many periods were worked on, and how many were not. */
  @FunctionalInterface
  private interface Sum {
    Sentence of(long periods, long not);
  }

  /**
   * Works on each object, and goes on after those that are refused.
   *
   * @param work returns a sentence; null for none
   * @param stop is asked before each, with the number that is left: a reason to leave them, or null
   */
  private static <T> Result each(
      List<T> all,
      Sum sum,
      Function<T, @Nullable Sentence> work,
      LongFunction<@Nullable Sentence> stop,
      Consumer<Sentence> progress) {
    var refused = new ArrayList<Sentence>();
    var said = new ArrayList<Sentence>();
    LongConsumer tried =
        Tasks.everyTenSeconds(
            number -> progress.accept(new ArchiveSentences.Progress(number, all.size())));
    @Nullable Sentence stopped = null;
    int left = 0;
    for (int i = 0; i < all.size(); i++) {
      stopped = stop.apply(all.size() - i);
      if (stopped != null) {
        left = all.size() - i;
        break;
      }
      try {
        Sentence line = work.apply(all.get(i));
        if (line != null) {
          said.add(line);
        }
      } catch (Refusal e) {
        refused.add(e.said());
      }
      tried.accept(i + 1);
    }
    var messages = new ArrayList<Sentence>();
    for (List<Sentence> some : List.of(said, refused)) {
      messages.addAll(some.subList(0, Math.min(some.size(), MAX_LINES)));
      if (some.size() > MAX_LINES) {
        messages.add(new ArchiveSentences.More(some.size() - MAX_LINES));
      }
    }
    if (stopped != null) {
      messages.add(stopped);
    }
    int not = refused.size() + left;
    messages.add(sum.of(all.size() - not, not));
    return new Result(not == 0 ? Task.State.DONE : Task.State.FAILED, messages);
  }
}
