package palmares.api.ops;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.UnknownSentences;
import palmares.api.ops.Listing.Body;
import palmares.api.ops.Listing.Status;
import palmares.operations.report.TierHistory;
import palmares.operations.report.TierHistory.TierMove;
import palmares.period.PeriodTimeline;
import palmares.period.exclusion.ExclusionSentences;
import palmares.period.exclusion.NamedLists;
import palmares.period.exclusion.NamedLists.MissingList;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardDescription;
import palmares.rules.boardfiles.BoardFile;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.boardfiles.BoardFilesException;
import palmares.rules.boardfiles.Catalogue;
import palmares.rules.calendar.CalendarTiling;
import palmares.rules.calendar.PeriodName;

@RestController
class CatalogueController implements CatalogueResource {
  private static final OutputTable<TierMove> MOVES = OutputTable.of(TierMove.class);
  private static final OutputTable<BoardRow> BOARDS = OutputTable.of(BoardRow.class);

  private final Catalogue catalogue;
  private final Lookup lookup;
  private final PeriodTimeline timeline;
  private final TierHistory tiers;
  private final NamedLists lists;

  CatalogueController(
      Catalogue catalogue,
      Lookup lookup,
      PeriodTimeline timeline,
      TierHistory tiers,
      NamedLists lists) {
    this.catalogue = catalogue;
    this.lookup = lookup;
    this.timeline = timeline;
    this.tiers = tiers;
    this.lists = lists;
  }

  @Override
  public Rows<BoardRow> boards() {
    return Listing.of(
        BOARDS, "boards", catalogue.all().stream().map(CatalogueController::row).toList());
  }

  private static BoardRow row(Board board) {
    return new BoardRow(
        board.id().value(),
        board.title(),
        board.zone().getId(),
        board.calendar().example(),
        board.grace().toString(),
        board.source().hash());
  }

  @Override
  public Rows<BoardRow> board(String board) {
    Board found = lookup.inForce(board);
    return described(List.of(found));
  }

  private Rows<BoardRow> described(Collection<Board> boards) {
    return format ->
        format == OutputFormat.TABLE
            ? Body.text(
                out ->
                    out.write(
                        TerminalText.lines(
                            boards.stream()
                                .map(
                                    board ->
                                        BoardDescription.of(
                                            board,
                                            timeline.preview(board, BoardDescription.MAX_PERIODS),
                                            LocaleContextHolder.getLocale()))
                                .collect(Collectors.joining("\n")))))
            : Listing.of(BOARDS, "", boards.stream().map(CatalogueController::row).toList())
                .in(format);
  }

  @Override
  public Rows<BoardRow> checkBoards(BoardFilesRequest body) {
    Catalogue boards = read(Lookup.required("files", body.files()));
    List<MissingList> missing = lists.missing(boards.all());
    var notes = new ArrayList<Sentence>();
    missing.forEach(
        each -> notes.add(new ExclusionSentences.ListOfBoardMissing(each.board(), each.list())));
    boards.all().forEach(board -> rests(board).forEach(notes::add));
    return described(shown(boards, body.board()))
        .noted(notes)
        .then(
            missing.stream()
                .map(each -> Next.of("create-list").with("list", each.list()))
                .distinct()
                .toList())
        .with(missing.isEmpty() ? Status.OK : Status.FAILED);
  }

  private static Collection<Board> shown(Catalogue boards, @Nullable String only) {
    return only == null
        ? boards.all()
        : List.of(
            BoardId.parse(only)
                .flatMap(boards::find)
                .orElseThrow(
                    () ->
                        Lookup.unknown(
                            UnknownSentences.Board.of(
                                only,
                                boards.all().stream().map(each -> each.id().value()).toList()))));
  }

  private static Catalogue read(Map<String, String> files) {
    try {
      var all = new ArrayList<BoardFile>();
      files.forEach((name, text) -> all.add(new BoardFile(name, text)));
      return BoardFiles.read(all);
    } catch (BoardFilesException e) {
      throw Lookup.invalid("files", e.said());
    }
  }

  /** Says which periods no file names, and that would pay the prizes of another one again. */
  private Stream<Sentence> rests(Board board) {
    return board.payout().rules().isEmpty()
        ? Stream.of()
        : timeline.preview(board, BoardDescription.MAX_PERIODS).stream()
            .flatMap(
                slot ->
                    CalendarTiling.restOf(board.calendar(), slot).stream()
                        .map(
                            whole ->
                                new ListingSentences.RestOfPeriod(
                                    board.id().value(),
                                    whole.name().value(),
                                    slot.startsAt(),
                                    slot.endsAt(),
                                    slot.name().value())));
  }

  @Override
  public Rows<TierMove> moves(String family, @Nullable String period) {
    List<BoardId> boards = tiers(family);
    if (boards.isEmpty() && !tiers.knows(family)) {
      throw unknownFamily(family);
    }
    PeriodName named = Lookup.nameOrAll(period);
    PeriodName name =
        named != null
            ? named
            : tiers
                .latest(boards)
                .orElseThrow(() -> notSettled(new ListingSentences.NothingSettled(family)));
    List<TierMove> moves = tiers.of(family, name);
    List<BoardId> unsettled = tiers.unsettled(boards, name);
    if (moves.isEmpty() && unsettled.equals(boards)) {
      throw notSettled(new ListingSentences.NoneSettled(family, name.value()));
    }
    return Listing.of(MOVES, "moves", moves)
        .with(unsettled.isEmpty() ? Status.OK : Status.FAILED)
        .noted(
            unsettled.stream()
                .map(board -> new ListingSentences.NotSettled(board.value(), name.value()))
                .toList());
  }

  private static Refusal notSettled(Sentence said) {
    return new Refusal(Problem.WRONG_STATE, said);
  }

  /** The boards of the family, the top tier first. */
  private List<BoardId> tiers(String family) {
    return catalogue.all().stream()
        .filter(board -> board.tier() != null && board.tier().family().equals(family))
        .sorted(Comparator.comparing(board -> Objects.requireNonNull(board.tier()).number()))
        .map(Board::id)
        .toList();
  }

  private Refusal unknownFamily(String family) {
    var known =
        catalogue.all().stream()
            .filter(board -> board.tier() != null)
            .map(board -> Objects.requireNonNull(board.tier()).family())
            .collect(Collectors.toCollection(TreeSet::new));
    return Lookup.unknown(
        known.isEmpty()
            ? new ListingSentences.NoFamilies(family)
            : new ListingSentences.NoFamily(
                family, DidYouMean.of(family, known), List.copyOf(known)));
  }
}
