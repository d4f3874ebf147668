package palmares.period.exclusion;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import palmares.period.auditlog.AuditEntry;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.platform.Refusal;
import palmares.platform.form.Choice;
import palmares.platform.form.Suggestion;
import palmares.platform.output.CsvText;
import palmares.platform.time.DayOrTime;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

/**
 * Reads exclusions from CSV. The first line names the columns: {@code member}, {@code level} and
 * {@code reason}, and in any order {@code board}, {@code from} and {@code until}, which may be
 * empty. A list of exclusions in CSV is such a file; one that was lifted is an error. Commas or
 * semicolons separate the cells. A day begins in the board's zone.
 */
public final class ExclusionFile {
  public static final int MAX_ROWS = 10_000;

  /** The columns of the list of exclusions; who made an exclusion, and when, is not read. */
  public static final Set<String> COLUMNS =
      Set.of("member", "level", "reason", "board", "from", "until", "id", "made", "by", "lifted");

  private static final int MAX_HEADING_CHARACTERS = 1_000;
  private static final int MAX_ERRORS = 20;
  private static final String LIST_SCOPE = "list:";
  private static final int BYTE_ORDER_MARK = '\ufeff';
  private static final Set<String> REQUIRED = Set.of("member", "level", "reason");

  private final @Nullable String list;
  private final Function<@Nullable BoardId, ZoneId> zones;
  private final List<String> errors = new ArrayList<>();

  /**
   * @param list the list whose entries the exclusions are; then the file has no boards; null for
   *     none
   * @param zones gives a board's zone, and that of exclusions for all boards; throws {@link
   *     IllegalArgumentException} if there is no such board
   */
  public ExclusionFile(@Nullable String list, Function<@Nullable BoardId, ZoneId> zones) {
    this.list = list;
    this.zones = zones;
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
          throw refused("a file has at most %d exclusions: split it".formatted(MAX_ROWS));
        }
        Exclusions.Request request = request(row, rows.getCurrentLineNumber());
        if (request != null) {
          requests.add(request);
        }
      }
    } catch (IllegalArgumentException | UncheckedIOException | IOException e) {
      throw refused("the file is not CSV: " + e.getMessage());
    }
    if (!errors.isEmpty()) {
      int more = errors.size() - MAX_ERRORS;
      throw refused(
          String.join("\n", errors.subList(0, Math.min(errors.size(), MAX_ERRORS)))
              + (more > 0 ? "\nand %d more".formatted(more) : ""));
    }
    if (requests.isEmpty()) {
      throw refused("the file has no exclusions");
    }
    return requests;
  }

  private static Refusal refused(String message) {
    return new Refusal(Refusal.Reason.INVALID_FIELD, message);
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
      throw refused(
          "line 1 has no column '%s': it names the columns, such as member,level,reason"
              .formatted(missing.first()));
    }
    for (String name : names) {
      if (!COLUMNS.contains(name)) {
        throw refused(
            "line 1: there is no column '%s'%s".formatted(name, Suggestion.hint(name, COLUMNS)));
      }
    }
  }

  private Exclusions.@Nullable Request request(CSVRecord row, long line) {
    int before = errors.size();
    if (!row.isConsistent()) {
      errors.add("line %d has %d fields, not as many as line 1".formatted(line, row.size()));
      return null;
    }
    requireInForce(row, line);
    MemberId member = member(row, line);
    ExclusionLevel level = field(row, line, "level", ExclusionFile::level);
    String reason = field(row, line, "reason", ExclusionFile::reason);
    BoardId board = optional(row, line, "board", this::board);
    ZoneId zone = errors.size() > before ? null : zone(line, board);
    if (zone == null || member == null || level == null || reason == null) {
      return null;
    }
    Instant from = optional(row, line, "from", text -> time(text, zone));
    Instant until = optional(row, line, "until", text -> time(text, zone));
    if (errors.size() > before) {
      return null;
    }
    try {
      return new Exclusions.Request(
          new Terms(member, level, board, list, from, until),
          reason,
          "line %d, column member: ".formatted(line));
    } catch (IllegalArgumentException e) {
      errors.add("line %d, column until: %s".formatted(line, e.getMessage()));
      return null;
    }
  }

  private void requireInForce(CSVRecord row, long line) {
    if (row.isMapped("lifted") && !row.get("lifted").isBlank()) {
      errors.add(
          "line %d, column lifted: the exclusion is not in force; remove it".formatted(line));
    }
  }

  /** Blanks around an id belong to it. */
  private @Nullable MemberId member(CSVRecord row, long line) {
    return field(line, "member", row.get("member"), MemberId::new);
  }

  /** Reads the board as the list of exclusions names it; null for all boards. */
  private @Nullable BoardId board(String scope) {
    if (scope.equals("all") || list != null && scope.equals(LIST_SCOPE + list)) {
      return null;
    }
    if (list != null) {
      throw new IllegalArgumentException(
          "entries of the list '%s' have no board; it is '%s'".formatted(list, scope));
    }
    if (scope.startsWith(LIST_SCOPE)) {
      throw new IllegalArgumentException(
          "'%s' is an entry of a list: add it to the list".formatted(scope));
    }
    return new BoardId(scope);
  }

  private @Nullable ZoneId zone(long line, @Nullable BoardId board) {
    try {
      return zones.apply(board);
    } catch (IllegalArgumentException e) {
      errors.add("line %d, column board: %s".formatted(line, e.getMessage()));
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
    } catch (IllegalArgumentException e) {
      errors.add("line %d, column %s: %s".formatted(line, column, e.getMessage()));
      return null;
    }
  }

  private static ExclusionLevel level(String word) {
    return Choice.find(ExclusionLevel.values(), word)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no level '%s'; the levels are hidden, unranked and no-prize"
                        .formatted(word)));
  }

  private static String reason(String text) {
    return AuditEntry.storableReason(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    ("a reason is a text of 1 to %d characters, without control characters but line"
                            + " feeds, and without half of a surrogate pair")
                        .formatted(AuditEntry.MAX_REASON_LENGTH)));
  }

  private static Instant time(String text, ZoneId zone) {
    return DayOrTime.parse(text, zone)
        .orElseThrow(() -> new IllegalArgumentException(DayOrTime.expected(text)));
  }
}
