package palmares.api.ops;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.ops.MaintenanceSentences.Again;
import palmares.api.ops.MaintenanceSentences.Anchored;
import palmares.api.ops.MaintenanceSentences.ArchivedPeriods;
import palmares.api.ops.MaintenanceSentences.Behind;
import palmares.api.ops.MaintenanceSentences.Compared;
import palmares.api.ops.MaintenanceSentences.Discarded;
import palmares.api.ops.MaintenanceSentences.LastLink;
import palmares.api.ops.MaintenanceSentences.NoFacts;
import palmares.api.ops.MaintenanceSentences.NoLink;
import palmares.api.ops.MaintenanceSentences.NoNumbers;
import palmares.api.ops.MaintenanceSentences.NoTime;
import palmares.api.ops.MaintenanceSentences.NoneAgain;
import palmares.api.ops.MaintenanceSentences.NotAnchored;
import palmares.api.ops.MaintenanceSentences.Note;
import palmares.api.ops.MaintenanceSentences.OrphanKept;
import palmares.api.ops.MaintenanceSentences.PeriodNote;
import palmares.api.ops.MaintenanceSentences.Released;
import palmares.api.ops.MaintenanceSentences.Removed;
import palmares.api.ops.MaintenanceSentences.RemovedAll;
import palmares.api.ops.MaintenanceSentences.Retried;
import palmares.api.ops.MaintenanceSentences.StillOnBoard;
import palmares.api.ops.MaintenanceSentences.TargetForgotten;
import palmares.api.ops.MaintenanceSentences.VerificationChangesNothing;
import palmares.api.ops.MaintenanceSentences.WouldRemove;
import palmares.api.ops.MaintenanceSentences.WouldRemoveAll;
import palmares.live.board.LiveRebuild.ChangedLine;
import palmares.live.journal.Journal;
import palmares.live.journal.Quarantine;
import palmares.live.journal.Quarantine.Resolution;
import palmares.operations.memory.MemoryReport;
import palmares.operations.memory.MemoryUse.PeriodMemory;
import palmares.operations.memory.MemoryUse.PeriodMemory.KeyStatus;
import palmares.operations.memory.Orphans;
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
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.manifest.Anchors;
import palmares.settlement.manifest.ChainLink;
import palmares.settlement.outbox.Deliveries;
import palmares.settlement.outbox.Deliveries.Redelivery;
import palmares.settlement.verification.Findings;
import palmares.settlement.verification.Verification;

@RestController
class MaintenanceController implements MaintenanceResource {
  /** More than the 20 seconds after which the lease of a killed process ends. */
  private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(30);

  private static final int DEFAULT_SAMPLES = 5;

  private final Tasks tasks;
  private final Lookup lookup;
  private final PeriodFinder finder;
  private final Verification verification;
  private final Anchors anchors;
  private final PeriodNotes notes;
  private final Rebuild rebuild;
  private final Journal journal;
  private final Quarantine quarantine;
  private final Deliveries deliveries;
  private final MemoryReport memory;
  private final Orphans orphans;

  MaintenanceController(
      Tasks tasks,
      Lookup lookup,
      PeriodFinder finder,
      Verification verification,
      Anchors anchors,
      PeriodNotes notes,
      Rebuild rebuild,
      Journal journal,
      Quarantine quarantine,
      Deliveries deliveries,
      MemoryReport memory,
      Orphans orphans) {
    this.tasks = tasks;
    this.lookup = lookup;
    this.finder = finder;
    this.verification = verification;
    this.anchors = anchors;
    this.notes = notes;
    this.rebuild = rebuild;
    this.journal = journal;
    this.quarantine = quarantine;
    this.deliveries = deliveries;
    this.memory = memory;
    this.orphans = orphans;
  }

  @Override
  public Task verify(VerificationRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    BoardId board = lookup.boardOrAll(body.board());
    PeriodName period =
        body.period() == null
            ? null
            : lookup.settled(Lookup.boardOf(board, body.period()).value(), body.period()).name();
    List<ChainLink> links = links(body.links() == null ? List.of() : body.links());
    return tasks.later(
        call,
        new VerbRequest("verify", body.board(), body.period(), reason, body)
            .with("links", body.links())
            .recordedFirst(),
        by -> {},
        by -> Result.done(new VerificationChangesNothing()),
        (by, progress) -> verify(board, period, links));
  }

  private static List<ChainLink> links(List<String> texts) {
    var links = new ArrayList<ChainLink>();
    for (String text : texts) {
      List<ChainLink> found = ChainLink.in(text);
      if (found.isEmpty()) {
        throw Lookup.invalid("links", new NoLink(text));
      }
      links.addAll(found);
    }
    return links;
  }

  private Result verify(
      @Nullable BoardId board, @Nullable PeriodName period, List<ChainLink> links) {
    var said = new ArrayList<Sentence>();
    notes.all(board, period).forEach(note -> said.add(new PeriodNote(note.period(), note.said())));
    Findings findings = verification.verifySettled(board, period, links);
    findings.notes().forEach(note -> said.add(new Note(note)));
    if (findings.archived() > 0) {
      said.add(new ArchivedPeriods(findings.archived()));
    }
    if (board == null) {
      said.add(new Compared(findings.anchors(), anchors.file().toString()));
      addLinks(said);
    }
    findings.named().forEach(difference -> said.add(difference.said()));
    said.add(findings.summary());
    return new Result(findings.clean() ? Task.State.DONE : Task.State.FAILED, said);
  }

  /** Adds the last link of each chain, so that it can be kept outside of the database. */
  private void addLinks(List<Sentence> said) {
    Optional<Sentence> failure = anchors.keep();
    for (var last : anchors.last()) {
      said.add(new LastLink(last.link().toString(), last.what()));
    }
    String file = anchors.file().toString();
    said.add(
        failure
            .<Sentence>map(why -> new Note(new NotAnchored(file, why)))
            .orElseGet(() -> new Anchored(file)));
  }

  @Override
  public Task rebuild(String board, String period, RebuildRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Period found = finder.find(board, period);
    Present present = body.replace() ? Present.REPLACE : Present.REFUSE;
    var order =
        new VerbRequest("rebuild", found.board().value(), found.name().value(), reason, body)
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

  private void requireRebuildable(Period period, Present present, Call call) {
    finder.requireUnchanged(period, call);
    finder.requireBegun(period);
    rebuild.requireRebuildable(period, present);
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
    notes.of(period.board(), period.name()).forEach(note -> said.add(new Note(note)));
    return new Result(Task.State.DONE, said);
  }

  private static Sentence changed(ChangedLine line) {
    Long now = line.now();
    return now == null
        ? new RebuildSentences.MemberGone(line.member(), line.before())
        : new RebuildSentences.MemberChanged(line.member(), line.before(), now);
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
      throw Lookup.invalid("numbers", new NoNumbers());
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
                    ? new Released(period.label(), number)
                    : new Discarded(period.label(), number));
          }
          if (isReleased) {
            return new Result(Task.State.DONE, said);
          }
          said.add(new StillOnBoard(period.label()));
          return new Result(Task.State.DONE, said)
              .then(Repair.REPLACE.next(period.board(), period.name()));
        });
  }

  @Override
  public Task retry(TargetRequest body, Call call) {
    if (body.from() != null) {
      throw Lookup.invalid("from", new NoTime());
    }
    return onTarget(
        "retry-deliveries",
        body,
        call,
        () -> {
          List<String> targets = deliveries.retry(body.target());
          return Result.done(new Retried(targets.size()))
              .changing(() -> targets.stream().sorted().toList());
        });
  }

  @Override
  public Task redeliver(TargetRequest body, Call call) {
    Instant from = Lookup.required("from", Lookup.time("from", body.from(), ZoneOffset.UTC));
    return onTarget(
        "redeliver",
        body,
        call,
        () -> {
          List<Redelivery> targets = deliveries.redeliver(body.target(), from);
          if (targets.isEmpty()) {
            throw Lookup.unknown(new NoFacts(from.atZone(ZoneOffset.UTC)));
          }
          return new Result(Task.State.DONE, redelivered(targets, from.atZone(ZoneOffset.UTC)))
              .changing(() -> List.of(targets.toString()));
        });
  }

  private static List<Sentence> redelivered(List<Redelivery> targets, ZonedDateTime from) {
    List<String> moved = names(targets, false);
    List<String> behind = names(targets, true);
    var said = new ArrayList<Sentence>();
    said.add(moved.isEmpty() ? new NoneAgain(from) : new Again(from, moved));
    if (!behind.isEmpty()) {
      said.add(new Behind(behind));
    }
    return said;
  }

  private static List<String> names(List<Redelivery> targets, boolean withBacklog) {
    return targets.stream()
        .filter(target -> target.hasBacklog() == withBacklog)
        .map(Redelivery::name)
        .toList();
  }

  @Override
  public Task forget(TargetRequest body, Call call) {
    String target = Lookup.required("target", body.target());
    return onTarget(
        "forget-target",
        body,
        call,
        () -> {
          Optional<Instant> since = deliveries.forget(target);
          return Result.done(new TargetForgotten(target))
              .changing(() -> List.of(target + " " + since));
        });
  }

  private Task onTarget(String verb, TargetRequest body, Call call, Supplier<Result> work) {
    String reason = Lookup.reason(body.reason());
    Lookup.requireNamedOrAll("target", body.target(), body.all());
    return tasks.now(
        call,
        new VerbRequest(verb, null, null, reason, body)
            .with("target", body.target())
            .with("from", body.from()),
        by -> {
          InstallationController.requireTarget(deliveries.all(), body.target());
          return work.get();
        });
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
          return drop(body, found, WouldRemove::new, orphan -> {})
              .and(List.of(new WouldRemoveAll(bytes(found, body.forceUnknown()))))
              .changing(() -> changes(found, body.forceUnknown()));
        },
        (by, progress) -> {
          List<PeriodMemory> found = orphans(board);
          call.requireShown(order.verb(), changes(found, body.forceUnknown()));
          return drop(body, found, Removed::new, orphan -> orphans.drop(orphan, by, reason))
              .and(List.of(new RemovedAll(bytes(found, body.forceUnknown()))));
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
        said.add(new OrphanKept(orphan.label()));
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
