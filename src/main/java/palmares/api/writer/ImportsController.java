package palmares.api.writer;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Operation;
import palmares.api.http.RequestBody;
import palmares.api.http.ServerLoad;
import palmares.api.http.UnknownSentences;
import palmares.api.roles.Caller;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.live.history.HistoryImport;
import palmares.live.history.ImportCounts;
import palmares.live.history.ImportCounts.LeftOut;
import palmares.period.DuePeriods;
import palmares.period.ImportRuns;
import palmares.period.ImportRuns.ImportRun;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Texts;

/**
 * Takes histories: events of any age, in batches of lines. An import keeps its periods open from
 * its begin to its end.
 */
@RestController
@RequestMapping(ImportsController.PATH)
class ImportsController {
  static final String PATH = "/api/v1/imports";

  /** For a line, its event, the call to Redis, and the outcome. */
  private static final int HEAP_BYTES_PER_LINE = 2 << 10;

  private final HistoryImport history;
  private final ImportRuns runs;
  private final DuePeriods due;

  ImportsController(HistoryImport history, ImportRuns runs, DuePeriods due) {
    this.history = history;
    this.runs = runs;
    this.due = due;
  }

  /** An import that has begun. */
  record Begun(long id) {}

  /** How many periods wait to be closed once an import has ended. */
  record Ended(int due) {}

  /**
   * What became of a batch of lines.
   *
   * @param outcomes how many had each outcome, without those that had no effect
   * @param leftOut how many boards, by reason, refused an event that counts on another board
   * @param notTaken the lines that count on no board
   */
  record Taken(
      long lines,
      Map<String, Long> outcomes,
      long withoutEffect,
      Map<String, Long> leftOut,
      List<NotTaken> notTaken) {
    static Taken of(ImportCounts counts) {
      var outcomes = new TreeMap<String, Long>();
      counts.kinds().forEach((kind, count) -> outcomes.put(kind.word(), count));
      var leftOut = new TreeMap<String, Long>();
      counts.leftOut().forEach((reason, count) -> leftOut.put(reason.word(), count));
      return new Taken(
          counts.lines(),
          outcomes,
          counts.withoutEffect(),
          leftOut,
          counts.notTaken().stream().map(NotTaken::of).toList());
    }
  }

  /** A line that counts on no board, and why. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record NotTaken(long line, String reason, @Nullable String detail) {
    static NotTaken of(LeftOut left) {
      var outcome = left.outcome();
      return new NotTaken(
          left.line(),
          outcome.reason() == null ? outcome.kind().word() : outcome.reason().word(),
          outcome.said() == null ? null : Texts.here().of(outcome.said()));
    }
  }

  @Operation("beginImport")
  @Requires(Role.ADMIN)
  @PostMapping
  Begun begin(@RequestParam String sources) {
    return new Begun(runs.begin(sources, Caller.get().name()).id());
  }

  @Operation("importLines")
  @Requires(Role.ADMIN)
  @PostMapping("/{id}/lines")
  Taken take(@PathVariable long id, @RequestParam(defaultValue = "1") long first, InputStream body)
      throws IOException {
    ImportRun run = running(id);
    byte[] lines = RequestBody.readAll(EventsController.MAX_BODY_BYTES, body);
    for (byte each : lines) {
      if (each == '\n') {
        ServerLoad.reserve(HEAP_BYTES_PER_LINE);
      }
    }
    runs.beat(run);
    return Taken.of(history.take(lines, first, run));
  }

  @Operation("endImport")
  @Requires(Role.ADMIN)
  @PostMapping("/{id}/end")
  Ended end(@PathVariable long id, @RequestParam(defaultValue = "true") boolean complete) {
    ImportRun run = running(id);
    if (complete) {
      history.end(run);
    } else {
      runs.stop(run);
    }
    return new Ended(due.dueOnDemand().size());
  }

  private ImportRun running(long id) {
    return runs.running(id, Caller.get().name())
        .orElseThrow(() -> new Refusal(Problem.UNKNOWN_OBJECT, new UnknownSentences.Import(id)));
  }
}
