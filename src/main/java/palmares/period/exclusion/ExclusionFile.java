package palmares.period.exclusion;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import palmares.period.auditlog.AuditEntry;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.output.CsvText;
import palmares.platform.text.Choice;
import palmares.platform.text.Fault;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Sentence;
import palmares.platform.time.DayOrTime;
import palmares.platform.time.Days;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

/**
 * Reads exclusions from CSV. The first line names the columns: {@code member}, {@code level} and
 * {@code reason}, and in any order {@code board}, {@code list}, {@code from} and {@code until},
 * which may be empty. A list of exclusions in CSV is such a file; one that was lifted is an error.
 * Commas or semicolons separate the cells. A day begins in the board's zone.
 */
public final class ExclusionFile {
  public static final int MAX_ROWS = 10_000;

  /** The board of an exclusion from every board. */
  public static final String ALL_BOARDS = "all";

  /** The columns of the list of exclusions; who made an exclusion, and when, is not read. */
  public static final Set<String> COLUMNS =
      Set.of(
          "member",
          "level",
          "reason",
          "board",
          "list",
          "from",
          "until",
          "id",
          "createdAt",
          "by",
          "lifted");

  private static final int MAX_HEADING_CHARACTERS = 1_000;
  private static final int MAX_ERRORS = 20;
  private static final int BYTE_ORDER_MARK = '\ufeff';
  private static final Set<String> REQUIRED = Set.of("member", "level", "reason");

  private final @Nullable String list;
  private final Function<@Nullable BoardId, Days> days;
  private final List<Sentence> errors = new ArrayList<>();

  /**
   * @param list the list whose entries the exclusions are; then the file has no boards; null for
   *     none
   * @param days gives a board's days, and those of exclusions for all boards; throws {@link
   *     Refusal} if there is no such board
   */
  public ExclusionFile(@Nullable String list, Function<@Nullable BoardId, Days> days) {
    this.list = list;
    this.days = days;
  }

  /**
   * Reads all exclusions.
   *
   * @throws Refusal if the file has errors; names the line and the column of each
   */
  public List<Exclusions.Request> read(Reader csv) {
    var requests = new ArrayList<Exclusions.Request>();
    try (CSVParser rows = parser(new BufferedReader(csv))) {
      requireColumns(rows.getHeaderNames());
      for (CSVRecord row : rows) {
        if (requests.size() == MAX_ROWS) {
          throw refused(new ExclusionSentences.TooManyRows(MAX_ROWS));
        }
        Exclusions.Request request = request(row, rows.getCurrentLineNumber());
        if (request != null) {
          requests.add(request);
        }
      }
    } catch (IllegalArgumentException | UncheckedIOException | IOException e) {
      throw refused(new ExclusionSentences.NotCsv(String.valueOf(e.getMessage())));
    }
    if (!errors.isEmpty()) {
      throw refused(ListSentences.lines(errors, MAX_ERRORS));
    }
    if (requests.isEmpty()) {
      throw refused(new ExclusionSentences.NoRows());
    }
    return requests;
  }

  private static Refusal refused(Sentence said) {
    return new Refusal(Problem.INVALID_FIELD, List.of(Fault.of("csv", said)));
  }

  /**
   * Spreadsheets separate cells by semicolons where the comma is the decimal sign, and some begin a
   * file in UTF-8 with a byte order mark.
   */
  private static CSVParser parser(BufferedReader csv) throws IOException {
    csv.mark(1);
    if (csv.read() != BYTE_ORDER_MARK) {
      csv.reset();
    }
    var start = new char[MAX_HEADING_CHARACTERS];
    csv.mark(start.length);
    int read = csv.read(start);
    csv.reset();
    String heading = new String(start, 0, Math.max(read, 0)).lines().findFirst().orElse("");
    return CSVFormat.RFC4180
        .builder()
        .setDelimiter(heading.contains(";") && !heading.contains(",") ? ';' : ',')
        .setHeader()
        .setSkipHeaderRecord(true)
        .setIgnoreEmptyLines(true)
        .get()
        .parse(csv);
  }

  private void requireColumns(List<String> names) {
    var missing = new TreeSet<>(REQUIRED);
    names.forEach(missing::remove);
    if (!missing.isEmpty()) {
      throw refused(new ExclusionSentences.NoColumn(missing.first()));
    }
    for (String name : names) {
      if (!COLUMNS.contains(name)) {
        throw refused(new ExclusionSentences.UnknownColumn(name, DidYouMean.of(name, COLUMNS)));
      }
    }
  }

  private Exclusions.@Nullable Request request(CSVRecord row, long line) {
    int before = errors.size();
    if (!row.isConsistent()) {
      errors.add(new ExclusionSentences.Line(line, new ExclusionSentences.Fields(row.size())));
      return null;
    }
    requireInForce(row, line);
    MemberId member = member(row, line);
    ExclusionLevel level = field(row, line, "level", ExclusionFile::level);
    String reason = field(row, line, "reason", ExclusionFile::reason);
    BoardId board = optional(row, line, "board", this::board);
    optional(row, line, "list", this::ownList);
    Days known = errors.size() > before ? null : days(line, board);
    if (known == null || member == null || level == null || reason == null) {
      return null;
    }
    Instant from = optional(row, line, "from", text -> time(text, known));
    Instant until = optional(row, line, "until", text -> time(text, known));
    if (errors.size() > before) {
      return null;
    }
    try {
      return new Exclusions.Request(
          new Terms(member, level, board, list, from, until), reason, line);
    } catch (Refusal e) {
      addError(line, "until", e.said());
      return null;
    }
  }

  private void requireInForce(CSVRecord row, long line) {
    if (row.isMapped("lifted") && !row.get("lifted").isBlank()) {
      addError(line, "lifted", new ExclusionSentences.NotInForce());
    }
  }

  /** Blanks around an id belong to it. */
  private @Nullable MemberId member(CSVRecord row, long line) {
    return field(line, "member", row.get("member"), ExclusionFile::memberId);
  }

  /** Reads the board as the list of exclusions names it; null for all boards. */
  private @Nullable BoardId board(String board) {
    if (board.equals(ALL_BOARDS)) {
      return null;
    }
    if (list != null) {
      throw invalid(new ExclusionSentences.NoBoardInList(list, board));
    }
    return BoardId.parse(board)
        .orElseThrow(() -> invalid(new ExclusionSentences.UnknownBoard(board, null)));
  }

  private String ownList(String other) {
    if (!other.equals(list)) {
      throw invalid(new ExclusionSentences.EntryOfList(other));
    }
    return other;
  }

  private @Nullable Days days(long line, @Nullable BoardId board) {
    try {
      return days.apply(board);
    } catch (Refusal e) {
      addError(line, "board", e.said());
      return null;
    }
  }

  private <T> @Nullable T optional(
      CSVRecord row, long line, String column, Function<String, @Nullable T> reader) {
    boolean present = row.isMapped(column) && !row.get(column).isBlank();
    return present ? field(row, line, column, reader) : null;
  }

  private <T> @Nullable T field(
      CSVRecord row, long line, String column, Function<String, @Nullable T> reader) {
    return field(line, column, row.get(column).strip(), reader);
  }

  private <T> @Nullable T field(
      long line, String column, String cell, Function<String, @Nullable T> reader) {
    try {
      return reader.apply(CsvText.read(cell));
    } catch (Refusal e) {
      addError(line, column, e.said());
      return null;
    }
  }

  private void addError(long line, String column, Sentence said) {
    errors.add(new ExclusionSentences.Line(line, new ExclusionSentences.Column(column, said)));
  }

  /** The refusal of a cell. */
  private static Refusal invalid(Sentence said) {
    return new Refusal(Problem.INVALID_FIELD, said);
  }

  private static MemberId memberId(String text) {
    return MemberId.parse(text)
        .orElseThrow(() -> invalid(new ExclusionSentences.NotAMember(MemberId.MAX_BYTES)));
  }

  private static ExclusionLevel level(String word) {
    return Choice.find(ExclusionLevel.values(), word)
        .orElseThrow(
            () ->
                invalid(
                    new ExclusionSentences.UnknownLevel(
                        word,
                        Stream.of(ExclusionLevel.values()).map(ExclusionLevel::word).toList())));
  }

  private static String reason(String text) {
    return AuditEntry.storableReason(text)
        .orElseThrow(
            () -> invalid(new ExclusionSentences.NotAReason(AuditEntry.MAX_REASON_LENGTH)));
  }

  private static Instant time(String text, Days days) {
    return DayOrTime.parse(text, days)
        .orElseThrow(() -> invalid(new ExclusionSentences.NotATime(text)));
  }
}
