package palmares.api.ops;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.ops.Tasks.Progress;
import palmares.operations.archive.Archives;
import palmares.operations.archive.Archives.Archived;
import palmares.operations.report.PeriodList;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.platform.Refusal;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.TerminalText;
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
    BoardId board = lookup.boardOrAll(body.board());
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
                  "would be archived",
                  period -> planned(period, body.drop()),
                  () -> null,
                  line -> {})
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
              "archived",
              period ->
                  described(
                      period,
                      body.drop()
                          ? archives.move(period, folder, by, reason)
                          : archives.write(period, folder, by, reason)),
              stop(by, progress),
              progress);
        });
  }

  private List<String> changes(List<PeriodId> found, boolean drop) {
    return list.versions(found).stream().map(period -> period.line() + " drop " + drop).toList();
  }

  private String planned(PeriodId period, boolean drop) {
    if (drop) {
      archives.requireDeletable(period);
    }
    return "%s would be written%s"
        .formatted(label(period), drop ? ", and its journal dropped from the database" : "");
  }

  private String described(PeriodId period, Archived archived) {
    return "%s: %s, %s in %s%s"
        .formatted(
            label(period),
            DisplayFormat.count(archived.rows(), "row", "rows"),
            DisplayFormat.size(archived.bytes()),
            archived.file(),
            archived.dropped() == 0
                ? ""
                : ", %s dropped from the database"
                    .formatted(DisplayFormat.number(archived.dropped())));
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
        by -> Result.done("a check changes nothing"),
        (by, progress) -> {
          Path folder = archives.folder();
          return each(
              archives.recorded(board),
              "as archived",
              recorded -> {
                archives.check(folder, recorded);
                return null;
              },
              stop(by, progress),
              progress);
        });
  }

  /** Says why the caller may not go on; null while the caller may. */
  private static Supplier<@Nullable String> stop(String by, Progress progress) {
    return () -> progress.mayGoOn() ? null : by + " may not do this any more";
  }

  /**
   * Works on each object, and goes on after those that are refused.
   *
   * @param done what became of the others
   * @param work returns a sentence; null for none
   * @param stop is asked before each: a reason to leave all others, or null
   */
  private static <T> Result each(
      List<T> all,
      String done,
      Function<T, @Nullable String> work,
      Supplier<@Nullable String> stop,
      Consumer<String> progress) {
    var refused = new ArrayList<String>();
    var lines = new ArrayList<String>();
    LongConsumer tried =
        Tasks.everyTenSeconds(
            number ->
                progress.accept(
                    "%,d of %s"
                        .formatted(number, DisplayFormat.count(all.size(), "period", "periods"))));
    String stopped = null;
    int left = 0;
    for (int i = 0; i < all.size(); i++) {
      stopped = stop.get();
      if (stopped != null) {
        left = all.size() - i;
        break;
      }
      try {
        String line = work.apply(all.get(i));
        if (line != null) {
          lines.add(TerminalText.of(line));
        }
      } catch (Refusal e) {
        refused.add(TerminalText.of(e.detail()));
      }
      tried.accept(i + 1);
    }
    var messages = new ArrayList<String>();
    for (List<String> some : List.of(lines, refused)) {
      messages.addAll(some.subList(0, Math.min(some.size(), MAX_LINES)));
      if (some.size() > MAX_LINES) {
        messages.add("and %,d more".formatted(some.size() - MAX_LINES));
      }
    }
    if (stopped != null) {
      messages.add(
          "%s; %s"
              .formatted(stopped, DisplayFormat.count(left, "period is left", "periods are left")));
    }
    int not = refused.size() + left;
    messages.add(
        "%s %s, %,d not"
            .formatted(DisplayFormat.count(all.size() - not, "period", "periods"), done, not));
    return new Result(not == 0 ? Task.State.DONE : Task.State.FAILED, Result.verbatim(messages));
  }
}
