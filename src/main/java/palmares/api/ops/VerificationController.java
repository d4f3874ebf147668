package palmares.api.ops;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.ops.Listing.Status;
import palmares.operations.report.PeriodNotes;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.VerbRequest;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.manifest.Anchors;
import palmares.settlement.manifest.ChainLink;
import palmares.settlement.schedule.NightlyVerification;
import palmares.settlement.verification.Findings;
import palmares.settlement.verification.Verification;

@RestController
class VerificationController implements VerificationResource {
  private static final int MAX_ROWS_IN_TABLE = 20;
  private static final OutputTable<VerificationRow> NIGHTS = OutputTable.of(VerificationRow.class);

  private final Tasks tasks;
  private final Lookup lookup;
  private final Verification verification;
  private final NightlyVerification nightly;
  private final Anchors anchors;
  private final PeriodNotes notes;

  VerificationController(
      Tasks tasks,
      Lookup lookup,
      Verification verification,
      NightlyVerification nightly,
      Anchors anchors,
      PeriodNotes notes) {
    this.tasks = tasks;
    this.lookup = lookup;
    this.verification = verification;
    this.nightly = nightly;
    this.anchors = anchors;
    this.notes = notes;
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
        by -> Result.done(new MaintenanceSentences.VerificationChangesNothing()),
        (by, progress) -> verify(board, period, links));
  }

  private Result verify(
      @Nullable BoardId board, @Nullable PeriodName period, List<ChainLink> links) {
    var said = new ArrayList<Sentence>();
    notes
        .all(board, period)
        .forEach(note -> said.add(new MaintenanceSentences.PeriodNote(note.period(), note.said())));
    Findings findings = verification.verifySettled(board, period, links);
    findings.notes().forEach(note -> said.add(new MaintenanceSentences.Note(note)));
    if (findings.archived() > 0) {
      said.add(new MaintenanceSentences.ArchivedPeriods(findings.archived()));
    }
    if (board == null) {
      said.add(new MaintenanceSentences.Compared(findings.anchors(), anchors.file().toString()));
      addLinks(said);
    }
    findings.named().forEach(difference -> said.add(difference.said()));
    said.add(findings.summary());
    return new Result(findings.clean() ? Task.State.DONE : Task.State.FAILED, said);
  }

  private static List<ChainLink> links(List<String> texts) {
    var links = new ArrayList<ChainLink>();
    for (String text : texts) {
      List<ChainLink> found = ChainLink.in(text);
      if (found.isEmpty()) {
        throw Lookup.invalid("links", new MaintenanceSentences.NoLink(text));
      }
      links.addAll(found);
    }
    return links;
  }

  /** Adds the last link of each chain, so that it can be kept outside of the database. */
  private void addLinks(List<Sentence> said) {
    Optional<Sentence> failure = anchors.keep();
    for (var last : anchors.last()) {
      said.add(new MaintenanceSentences.LastLink(last.link().toString(), last.what()));
    }
    String file = anchors.file().toString();
    said.add(
        failure
            .<Sentence>map(
                why ->
                    new MaintenanceSentences.Note(new MaintenanceSentences.NotAnchored(file, why)))
            .orElseGet(() -> new MaintenanceSentences.Anchored(file)));
  }

  @Override
  public Rows<VerificationRow> verifications(PageRequest page) {
    boolean clean = nightly.latest(null, 1).stream().allMatch(night -> night.differences() == 0);
    return Listing.page(
            NIGHTS,
            "nights",
            page,
            MAX_ROWS_IN_TABLE,
            1,
            (cursor, most) -> nightly.latest(PageCursor.day(cursor), most),
            night ->
                new VerificationRow(
                    night.night(),
                    night.startedAt(),
                    Duration.between(night.startedAt(), night.endedAt()),
                    night.since(),
                    night.periods(),
                    night.differences(),
                    night.first()),
            last -> PageCursor.of(last.night()))
        .with(clean ? Status.OK : Status.FAILED);
  }
}
