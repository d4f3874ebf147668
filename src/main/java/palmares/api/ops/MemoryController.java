package palmares.api.ops;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.operations.memory.MemoryReport;
import palmares.operations.memory.MemoryUse;
import palmares.operations.memory.MemoryUse.PeriodMemory;
import palmares.operations.memory.MemoryUse.PeriodMemory.KeyStatus;
import palmares.operations.memory.Orphans;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.VerbRequest;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;

@RestController
class MemoryController implements MemoryResource {
  private static final int DEFAULT_SAMPLES = 5;
  private static final OutputTable<PeriodMemory> MEMORY = OutputTable.of(PeriodMemory.class);

  private final Tasks tasks;
  private final Lookup lookup;
  private final MemoryReport memory;
  private final Orphans orphans;

  MemoryController(Tasks tasks, Lookup lookup, MemoryReport memory, Orphans orphans) {
    this.tasks = tasks;
    this.lookup = lookup;
    this.memory = memory;
    this.orphans = orphans;
  }

  @Override
  public Rows<PeriodMemory> memory(@Nullable String board, int samples) {
    Lookup.atLeast(0, "samples", samples);
    MemoryUse use = memory.measure(lookup.boardOrAll(board), samples);
    var notes =
        Stream.<Sentence>concat(
                use.others().stream()
                    .map(
                        other ->
                            new ListingSentences.OtherKeys(
                                other.name(), other.keys(), other.bytes())),
                Stream.of(new ListingSentences.OfRedis(use.bytes(), use.used())))
            .toList();
    return Listing.of(MEMORY, "board-keys", use.boards()).noted(notes);
  }

  @Override
  public Task dropOrphans(OrphanRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    BoardId board = lookup.boardOrAll(body.board(), body.all());
    VerbRequest order =
        new VerbRequest("drop-orphans", body.board(), null, reason, body)
            .with("forceUnknown", body.forceUnknown())
            .recordedFirst();
    return tasks.later(
        call,
        order,
        by -> {},
        by -> {
          List<PeriodMemory> found = orphans(board);
          return drop(body, found, MaintenanceSentences.WouldRemove::new, orphan -> {})
              .and(
                  List.of(
                      new MaintenanceSentences.WouldRemoveAll(bytes(found, body.forceUnknown()))))
              .changing(() -> changes(found, body.forceUnknown()));
        },
        (by, progress) -> {
          List<PeriodMemory> found = orphans(board);
          call.requireShown(order.verb(), changes(found, body.forceUnknown()));
          return drop(
                  body,
                  found,
                  MaintenanceSentences.Removed::new,
                  orphan -> orphans.drop(orphan, by, reason))
              .and(List.of(new MaintenanceSentences.RemovedAll(bytes(found, body.forceUnknown()))));
        });
  }

  private List<PeriodMemory> orphans(@Nullable BoardId board) {
    return memory.measure(board, DEFAULT_SAMPLES).orphans();
  }

  /** Sizes are estimates, which differ each time. */
  private static List<String> changes(List<PeriodMemory> found, boolean forceUnknown) {
    return found.stream()
        .filter(orphan -> isRemoved(orphan, forceUnknown))
        .map(orphan -> "%s %s".formatted(orphan.label(), orphan.status()))
        .sorted()
        .toList();
  }

  private static boolean isRemoved(PeriodMemory orphan, boolean forceUnknown) {
    return forceUnknown || orphan.status() != KeyStatus.UNKNOWN;
  }

  private static long bytes(List<PeriodMemory> found, boolean forceUnknown) {
    return found.stream()
        .filter(orphan -> isRemoved(orphan, forceUnknown))
        .mapToLong(PeriodMemory::bytes)
        .sum();
  }

  private static Result drop(
      OrphanRequest body,
      List<PeriodMemory> found,
      BiFunction<String, Long, Sentence> done,
      Consumer<PeriodMemory> remove) {
    var said = new ArrayList<Sentence>();
    boolean keepsSome = false;
    for (PeriodMemory orphan : found) {
      if (isRemoved(orphan, body.forceUnknown())) {
        remove.accept(orphan);
        said.add(done.apply(orphan.label(), orphan.bytes()));
      } else {
        said.add(new MaintenanceSentences.OrphanKept(orphan.label()));
        keepsSome = true;
      }
    }
    Result dropped = new Result(Task.State.DONE, said);
    Next forced = Next.of("drop-orphans").with("forceUnknown", true);
    return keepsSome
        ? dropped.then(
            body.board() == null ? forced.with("all", true) : forced.with("board", body.board()))
        : dropped;
  }
}
