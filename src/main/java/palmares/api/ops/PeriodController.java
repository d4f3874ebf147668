package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.UnknownSentences;
import palmares.api.ops.Listing.Body;
import palmares.api.ops.Listing.Status;
import palmares.api.ops.Lookup.Range;
import palmares.operations.report.LedgerReport;
import palmares.operations.report.LedgerReport.MovedLine;
import palmares.operations.report.PeriodExclusions;
import palmares.operations.report.PeriodExclusions.Freeze;
import palmares.operations.report.PeriodHistory;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.operations.report.PeriodList;
import palmares.operations.report.PeriodList.Entry;
import palmares.operations.report.PeriodList.Filter;
import palmares.operations.report.PeriodList.Position;
import palmares.operations.report.RevisionHistory.RevisionSummary;
import palmares.period.Period;
import palmares.period.PeriodSentences;
import palmares.period.PeriodState;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.settlement.closing.Preview.PayoutForecast;
import palmares.settlement.manifest.Manifests;

@RestController
class PeriodController implements PeriodResource {
  private static final int MAX_ROWS_IN_TABLE = 100;
  private static final int CURSOR_KEYS = 3;
  private static final int PREVIEWED_PLACES = 10;

  /** The field with the hash of a manifest, which is not in its text. */
  private static final String HASH = "sha-256";

  private static final OutputTable<PeriodRow> PERIODS = OutputTable.of(PeriodRow.class);

  private static final OutputTable<RevisionSummary> REVISIONS =
      OutputTable.of(RevisionSummary.class)
          .shown("heldFor", row -> row.heldFor() == null ? null : Texts.here().list(row.heldFor()));

  private static final OutputTable<MovedLine> MOVED =
      OutputTable.of(MovedLine.class).totalsBy("purpose", "currency");

  private static final OutputTable<PeriodExclusionRow> EXCLUSIONS =
      OutputTable.of(PeriodExclusionRow.class)
          .shown("board", row -> ExclusionController.shownBoard(row.exclusion()));

  private static final OutputTable<ManifestField> FIELDS = OutputTable.of(ManifestField.class);

  private final Lookup lookup;
  private final PeriodList periods;
  private final PeriodHistory history;
  private final PeriodReport report;
  private final Manifests manifests;
  private final PayoutPreviews previews;
  private final LedgerReport ledger;
  private final PeriodExclusions exclusions;

  PeriodController(
      Lookup lookup,
      PeriodList periods,
      PeriodHistory history,
      PeriodReport report,
      Manifests manifests,
      PayoutPreviews previews,
      LedgerReport ledger,
      PeriodExclusions exclusions) {
    this.lookup = lookup;
    this.periods = periods;
    this.history = history;
    this.report = report;
    this.manifests = manifests;
    this.previews = previews;
    this.ledger = ledger;
    this.exclusions = exclusions;
  }

  private PeriodRow row(Entry entry) {
    return new PeriodRow(
        entry.board(),
        entry.period(),
        entry.shownState(),
        entry.revision(),
        entry.startsAt(),
        entry.endsAt(),
        entry.closesAt(),
        entry.nextStartsAt(),
        entry.members(),
        entry.settledAt(),
        entry.workedOnBy(),
        entry.failures(),
        entry.failure(),
        periods.next(entry));
  }

  @Override
  public Rows<PeriodRow> list(
      @Nullable String board,
      @Nullable String state,
      @Nullable String from,
      @Nullable String to,
      boolean attention,
      PageRequest page) {
    Range range = Lookup.range(from, to, lookup.zone(board));
    var filter =
        new Filter(lookup.boardOrAll(board), state(state), range.from(), range.to(), attention);
    return Listing.page(
        PERIODS,
        "periods",
        page,
        MAX_ROWS_IN_TABLE,
        CURSOR_KEYS,
        (cursor, most) -> periods.list(filter, position(cursor), most),
        this::row,
        last -> PageCursor.of(last.startsAt(), last.board(), last.period()));
  }

  private static @Nullable Position position(@Nullable PageCursor cursor) {
    return cursor == null ? null : new Position(cursor.time(0), cursor.key(1), cursor.key(2));
  }

  private static @Nullable String state(@Nullable String word) {
    return word == null ? null : Lookup.oneOf("state", PeriodState.shownWords(), word);
  }

  @Override
  public ResponseEntity<Rows<PeriodRow>> get(String board, String period) {
    Entry found = periods.get(lookup.period(board, period).id());
    return ResponseEntity.ok()
        .eTag(periods.tag(found))
        .body(Listing.of(PERIODS, "", List.of(row(found))));
  }

  @Override
  public Listing reports(
      String board, @Nullable String from, @Nullable String to, @Nullable Integer top) {
    Lookup.requireCount("top", top);
    var id = lookup.board(board);
    Range range = Lookup.range(from, to, lookup.zone(board));
    List<PeriodSummary> settled = history.settled(id, range.from(), range.to());
    if (settled.isEmpty()) {
      throw new Refusal(
          Problem.WRONG_STATE,
          from == null && to == null
              ? new PeriodSentences.NoneSettled(id.value())
              : new PeriodSentences.NoneSettledInRange(id.value()));
    }
    return report.settled(settled, top);
  }

  @Override
  public Listing report(
      String board, String period, @Nullable Integer revision, @Nullable Integer top) {
    Lookup.requireCount("top", top);
    return revision == null
        ? report.settled(List.of(lookup.settled(board, period)), top)
        : report.revision(lookup.summary(board, period), revision, top);
  }

  @Override
  public Rows<RevisionSummary> revisions(String board, String period, PageRequest page) {
    PeriodSummary found = lookup.summary(board, period);
    return Listing.page(
        REVISIONS,
        "outcomes",
        page,
        Listing.DEFAULT_COUNT,
        1,
        (cursor, most) -> report.revisions(found, PageCursor.number(cursor), most),
        last -> PageCursor.of(last.revision()));
  }

  @Override
  public Rows<PeriodExclusionRow> exclusions(
      String board, String period, @Nullable Integer revision, PageRequest page) {
    Period found = lookup.period(board, period);
    Freeze freeze = exclusions.freeze(found, revision).orElse(null);
    if (freeze == null && revision != null) {
      throw Lookup.unknown(new UnknownSentences.FrozenRevision(found.label(), revision));
    }
    return Listing.page(
        EXCLUSIONS,
        "exclusions",
        page,
        Listing.DEFAULT_COUNT,
        2,
        (cursor, most) -> exclusions.page(found, freeze, place(cursor), most),
        applied ->
            new PeriodExclusionRow(ExclusionController.row(applied.exclusion()), applied.status()),
        last -> PageCursor.of(last.exclusion().id(), last.exclusion().terms().member()));
  }

  private static PeriodExclusions.@Nullable Position place(@Nullable PageCursor cursor) {
    return cursor == null ? null : new PeriodExclusions.Position(cursor.key(1), cursor.number(0));
  }

  @Override
  public Rows<ManifestField> manifest(String board, String period, @Nullable Integer revision) {
    Period found = lookup.period(board, period);
    int number = revision == null ? found.revision() : revision;
    var manifest =
        manifests
            .find(found, number)
            .orElseThrow(
                () -> Lookup.unknown(new UnknownSentences.Manifest(found.label(), number)));
    String text = manifest.body() + HASH + ": " + manifest.hash() + "\n";
    Map<String, String> fields = manifest.fields();
    fields.put(HASH, manifest.hash());
    return format ->
        format == OutputFormat.TABLE
            ? Body.text(out -> out.write(TerminalText.lines(text)))
            : Listing.of(
                    FIELDS,
                    "",
                    fields.entrySet().stream()
                        .map(field -> new ManifestField(field.getKey(), field.getValue()))
                        .toList())
                .in(format);
  }

  /** Computes the preview into a file, so that a slow reader does not keep the period locked. */
  @Override
  public Listing preview(String board, String period, @Nullable Integer top) {
    Lookup.requireCount("top", top);
    Period found = lookup.period(board, period);
    return format -> {
      previews.drain(found);
      try {
        Path members = Files.createTempFile("palmares-preview", null);
        var forecast = computed(found, members, format, top);
        List<Sentence> sums = previews.sums(forecast);
        boolean table = format == OutputFormat.TABLE;
        Texts texts = Texts.here();
        return new Body(
            (out, raw) -> {
              for (Sentence sum : table ? sums : List.<Sentence>of()) {
                out.write((TerminalText.of(texts.of(sum)) + "\n").getBytes(UTF_8));
              }
              try {
                Files.copy(members, out);
              } finally {
                Files.delete(members);
              }
            },
            PayoutPreviews.needsPerson(forecast) ? Status.HELD : Status.OK,
            table ? List.of() : sums,
            null);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  private PayoutForecast computed(
      Period period, Path file, OutputFormat format, @Nullable Integer top) throws IOException {
    try {
      return previews.ask(period, computed -> write(computed, file, format, top));
    } catch (RuntimeException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }

  private PayoutForecast write(
      PayoutForecast forecast, Path file, OutputFormat format, @Nullable Integer top) {
    int limit = format.limit(top, PREVIEWED_PLACES);
    try (OutputStream out = Files.newOutputStream(file)) {
      report
          .members(forecast.period(), forecast.members(), format, limit)
          .content()
          .write(out, false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return forecast;
  }

  @Override
  public Rows<MovedLine> transfers(String board, String period) {
    PeriodSummary found = lookup.summary(board, period);
    List<MovedLine> lines = ledger.period(found.board(), found.name());
    return Listing.of(MOVED, "transfers", lines).noted(kept(lines));
  }

  private static List<Sentence> kept(List<MovedLine> lines) {
    Map<String, Map<String, BigDecimal>> sums = new LinkedHashMap<>();
    for (MovedLine line : lines) {
      sums.computeIfAbsent(line.currency(), currency -> new TreeMap<>())
          .merge(line.purpose(), line.amount(), BigDecimal::add);
    }
    return sums.entrySet().stream()
        .<Sentence>map(
            sum -> {
              BigDecimal awarded = sum.getValue().getOrDefault("award", BigDecimal.ZERO);
              BigDecimal taken = sum.getValue().getOrDefault("return", BigDecimal.ZERO);
              return new PayoutSentences.Kept(
                  sum.getKey(), awarded, taken, awarded.subtract(taken));
            })
        .toList();
  }
}
