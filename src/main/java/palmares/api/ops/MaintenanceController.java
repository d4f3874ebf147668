package palmares.api.ops;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
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
import palmares.operations.report.PeriodNotes;
import palmares.period.Period;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.TerminalText;
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
        by -> Result.done("a verification changes nothing"),
        (by, progress) -> verify(board, period, links));
  }

  private static List<ChainLink> links(List<String> texts) {
    var links = new ArrayList<ChainLink>();
    for (String text : texts) {
      List<ChainLink> found = ChainLink.in(text);
      if (found.isEmpty()) {
        throw new ProblemException(
            Problem.INVALID_FIELD,
            "'%s' is no link: give CHAIN N HASH, as manifests 812 e07b…, or what verify printed"
                .formatted(text));
      }
      links.addAll(found);
    }
    return links;
  }

  private Result verify(
      @Nullable BoardId board, @Nullable PeriodName period, List<ChainLink> links) {
    var lines = new ArrayList<String>();
    notes.all(board, period).forEach(note -> lines.add("note: " + TerminalText.of(note)));
    Findings findings = verification.verifySettled(board, period, links);
    findings.notes().forEach(note -> lines.add("note: " + TerminalText.of(note)));
    if (findings.archived() > 0) {
      lines.add(
          "%s archived: a check of the archive compares the files with the audit log"
              .formatted(DisplayFormat.count(findings.archived(), "period is", "periods are")));
    }
    if (board == null) {
      lines.add(
          TerminalText.of(
              "compared with %s anchors in %s"
                  .formatted(number(findings.anchors()), anchors.file())));
      addLinks(lines);
    }
    findings.named().forEach(difference -> lines.add(TerminalText.of(difference.sentence())));
    lines.add(findings.summary());
    return new Result(findings.clean() ? Task.State.DONE : Task.State.FAILED, lines);
  }

  /** Adds the last link of each chain, so that it can be kept outside of the database. */
  private void addLinks(List<String> lines) {
    Optional<String> failure = anchors.keep();
    for (var last : anchors.last()) {
      lines.add(
          TerminalText.of(
              "last of the %s: link %d, of %s, %s"
                  .formatted(last.chain().word(), last.n(), last.what(), last.hash())));
    }
    lines.add(
        TerminalText.of(
            failure
                .map(why -> "note: not anchored in %s: %s".formatted(anchors.file(), why))
                .orElse("anchored in " + anchors.file())));
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
              "%s is %s; %s would be decided again"
                  .formatted(
                      found.label(),
                      found.state().word(),
                      DisplayFormat.count(journal.position(found.id()), "event", "events")));
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
      Consumer<String> progress) {
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
                        done ->
                            progress.accept(
                                "rebuild: " + DisplayFormat.count(done, "event", "events")))))
        .orElseThrow(
            () ->
                new ProblemException(
                    Problem.PERIOD_BUSY,
                    "%s is in use by another process that closes or rebuilds it: retry later"
                        .formatted(period.label())));
  }

  private Result describe(Period period, RebuildResult rebuilt) {
    var lines = new ArrayList<String>();
    lines.add(
        rebuilt.state().isFilled()
            ? "%s goes on as PostgreSQL has it: it is %s"
                .formatted(period.label(), rebuilt.state().word())
            : "rebuilt %s: %s, each decided as before; it is %s"
                .formatted(
                    period.label(),
                    DisplayFormat.count(rebuilt.events(), "event", "events"),
                    rebuilt.state().word()));
    if (rebuilt.strays() > 0) {
      lines.add(
          text(
              "%,d more, which only Redis had, are decided again after the others",
              rebuilt.strays()));
    }
    if (!rebuilt.refused().isEmpty()) {
      lines.add(
          text(
              "%,d more, which only Redis had and which were acknowledged, are refused now, and"
                  + " count nowhere: %s",
              rebuilt.refused().size(), String.join(", ", rebuilt.refused())));
    }
    GivenUp givenUp = rebuilt.givenUp();
    if (givenUp != null) {
      lines.add(givenUp.sentence());
      givenUp.lines().forEach(line -> lines.add(line(line)));
    }
    if (rebuilt.wasLost()) {
      lines.add(
          "Redis had no live board; %s: later ones count when they are sent again"
              .formatted(journal.last(period)));
    }
    notes.of(period.board(), period.name()).ifPresent(note -> lines.add("note: " + note));
    return new Result(Task.State.DONE, lines);
  }

  private static String line(ChangedLine line) {
    Long now = line.now();
    return now == null
        ? text("%s: %,d points before, no line now", line.member(), line.before())
        : text("%s: %,d points before, %,d now", line.member(), line.before(), now);
  }

  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
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
      throw Lookup.invalid("'numbers' names no entry");
    }
    Period period = finder.find(board, periodWord);
    return tasks.now(
        call.compared(),
        new VerbRequest(resolution.word() + "-entries", board, periodWord, reason, body),
        by -> {
          finder.unchanged(period, call).run();
          var lines = new ArrayList<String>();
          for (long number : numbers) {
            quarantine.resolve(period, number, resolution, by, reason);
            lines.add("entry %d of %s is %s".formatted(number, period.label(), resolution.word()));
          }
          if (resolution == Resolution.DISCARDED) {
            lines.add(
                "'palmares rebuild %s --replace' removes them from the live board"
                    .formatted(period.label()));
          }
          return new Result(Task.State.DONE, lines);
        });
  }

  @Override
  public Task retry(TargetRequest body, Call call) {
    if (body.from() != null) {
      throw Lookup.invalid("only 'redeliver' takes 'from': retry has no time");
    }
    return onTarget(
        "retry-deliveries",
        body,
        call,
        () -> {
          List<String> targets = deliveries.retry(body.target());
          return Result.done(
                  DisplayFormat.count(targets.size(), "target is", "targets are") + " retried now")
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
            throw Lookup.unknown(
                "no facts from %s on are kept, or there is no target".formatted(from));
          }
          return new Result(Task.State.DONE, redelivered(targets, from))
              .changing(() -> List.of(targets.toString()));
        });
  }

  private static List<String> redelivered(List<Redelivery> targets, Instant from) {
    String moved = names(targets, false);
    String behind = names(targets, true);
    var lines = new ArrayList<String>();
    lines.add(
        moved.isEmpty()
            ? "no fact from %s on is delivered again".formatted(from)
            : "all facts from %s on are delivered again to %s".formatted(from, moved));
    if (!behind.isEmpty()) {
      lines.add(
          "%s has not had the first of them yet: its backlog comes first and leads to it"
              .formatted(behind));
    }
    return lines;
  }

  private static String names(List<Redelivery> targets, boolean withBacklog) {
    return targets.stream()
        .filter(target -> target.hasBacklog() == withBacklog)
        .map(Redelivery::name)
        .collect(Collectors.joining(", "));
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
          return Result.done("the status of '%s' is removed".formatted(target))
              .changing(() -> List.of(target + " " + since));
        });
  }

  private Task onTarget(String verb, TargetRequest body, Call call, Supplier<Result> work) {
    String reason = Lookup.reason(body.reason());
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

  private static String number(long number) {
    return DisplayFormat.number(number);
  }

  @Override
  public Task dropOrphans(OrphanRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    BoardId board = lookup.boardOrAll(body.board());
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
          return drop(found, body.forceUnknown(), "would remove", orphan -> {})
              .changing(() -> changes(found, body.forceUnknown()));
        },
        (by, progress) -> {
          List<PeriodMemory> found = orphans(board);
          call.requireShown(order.verb(), changes(found, body.forceUnknown()));
          return drop(
              found, body.forceUnknown(), "removed", orphan -> orphans.drop(orphan, by, reason));
        });
  }

  private List<PeriodMemory> orphans(@Nullable BoardId board) {
    return memory.measure(board, DEFAULT_SAMPLES).orphans();
  }

  /** Sizes are estimates, which differ each time. */
  private static List<String> changes(List<PeriodMemory> found, boolean forceUnknown) {
    return found.stream()
        .filter(orphan -> forceUnknown || orphan.status() != KeyStatus.UNKNOWN)
        .map(orphan -> "%s %s".formatted(orphan.label(), orphan.status()))
        .sorted()
        .toList();
  }

  private static Result drop(
      List<PeriodMemory> found, boolean forceUnknown, String verb, Consumer<PeriodMemory> remove) {
    var lines = new ArrayList<String>();
    long removed = 0;
    for (PeriodMemory orphan : found) {
      if (orphan.status() == KeyStatus.UNKNOWN && !forceUnknown) {
        lines.add(
            "%s is kept: this database does not know the period (--force-unknown removes it)"
                .formatted(orphan.label()));
      } else {
        remove.accept(orphan);
        lines.add("%s %s: %s".formatted(verb, orphan.label(), DisplayFormat.size(orphan.bytes())));
        removed += orphan.bytes();
      }
    }
    lines.add("%s %s altogether".formatted(verb, DisplayFormat.size(removed)));
    return new Result(Task.State.DONE, lines);
  }
}
