package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.member.Members;
import palmares.operations.amendment.Amendments;
import palmares.operations.archive.Archives;
import palmares.operations.lateevents.LateEventDecisions;
import palmares.operations.withheld.WithheldLines;
import palmares.period.ImportRuns;
import palmares.period.Period;
import palmares.period.auditlog.AuditLog;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Closings;
import palmares.testing.Contest;
import palmares.testing.FreshWorld;
import palmares.testing.PalmaresTest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;

/**
 * Verification finds and names each change or deletion of a row of a settled period by the owner of
 * the tables. A build tries a share of the columns and tables, always the same one.
 */
@PalmaresTest
@ExtendWith(FreshWorld.Once.class)
@TestInstance(Lifecycle.PER_CLASS)
class TamperingCampaignTest {
  /** Tries one of this many columns and tables; {@code -Dtests.tampering=1} tries all. */
  private static final int ONE_OF = Integer.getInteger("tests.tampering", 10);

  /** Which of the shares is tried. */
  private static final int SHARE =
      Math.floorMod(Integer.getInteger("tests.tampering.share", 0), ONE_OF);

  private static final String REPEAT =
      "share %d of %d: -Dtests.tampering=%2$d -Dtests.tampering.share=%1$d"
          .formatted(SHARE, ONE_OF);

  private static final Path DOCUMENT = Path.of("src/docs/tampering.md");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Closings closings;
  @Autowired private Approvals approvals;
  @Autowired private Exclusions exclusions;
  @Autowired private LateEventDecisions lateEventDecisions;
  @Autowired private Amendments amendments;
  @Autowired private AuditLog auditLog;
  @Autowired private ImportRuns imports;
  @Autowired private Members members;
  @Autowired private WithheldLines lines;
  @Autowired private Archives archives;

  @BeforeAll
  void periodsThatHaveRowsInEveryTable(@TempDir Path folder) {
    new RichHistory(
            world,
            servers,
            transaction,
            closings,
            approvals,
            exclusions,
            lateEventDecisions,
            amendments,
            auditLog,
            imports,
            members,
            lines)
        .play();
    archiveOne(folder);
    assertThat(records.verify().named()).isEmpty();
  }

  private void archiveOne(Path folder) {
    Board board = world.board(Contest.rules());
    Period day = world.open(board);
    world.take(Contest.facts().stream().map(fact -> fact.to(board)).toList());
    world.settle(day);
    servers.unguarded(
        () ->
            servers.sql(
                "update period set state = 'expired', expired_at = settled_at where id = ?",
                day.id().value()));
    archives.move(day.id(), folder, "zoe", "long ago");
  }

  private record Place(String table, String column, String type) {
    String name() {
      return table + "." + column;
    }

    boolean watched() {
      return !Watched.OTHER_TABLES.containsKey(table) && !Watched.OTHER_COLUMNS.containsKey(name());
    }
  }

  private List<Place> places() {
    return jdbc.sql(
            """
            select table_name as table, column_name as column,
              case when is_identity = 'YES' then 'identity' else data_type end as type
            from information_schema.columns
            join pg_class
              on relname = table_name and relnamespace = table_schema::regnamespace
            where table_schema = current_schema()
              and relkind = 'r'
              and table_name !~ '^(batch|qrtz|flyway|installation)'
            order by table_name, ordinal_position
            """)
        .query(Place.class)
        .list();
  }

  @Test
  void everyColumnIsWatched() {
    var faults = new ArrayList<String>();
    for (Place place : places()) {
      if (place.watched() && !place.type().equals("identity") && tried(place.name())) {
        List<String> rows = rows(place, "n = 1 + abs(hashtext('%s')) %% rows".formatted(place));
        for (String row : rows) {
          String sql =
              "update %s set %s = %s where ctid = %s"
                  .formatted(place.table(), place.column(), other(place), row);
          tamper(sql, place, faults);
        }
        if (rows.isEmpty()) {
          faults.add("\n" + place.name() + " has no value that could be changed");
        }
      }
    }
    assertThat(faults).as(REPEAT).isEmpty();
  }

  private static boolean tried(String name) {
    return Math.floorMod(name.hashCode(), ONE_OF) == SHARE;
  }

  @Test
  void everyDeletedRowIsNoticed() {
    var faults = new ArrayList<String>();
    for (String table :
        Watched.TABLES.keySet().stream().filter(TamperingCampaignTest::tried).toList()) {
      Place any = new Place(table, "ctid", "tid");
      List<String> rows = rows(any, "n in (1, rows / 2 + 1, rows)");
      assertThat(rows).as(table).isNotEmpty();
      for (String row : rows) {
        tamper("delete from %s where ctid = %s".formatted(table, row), any, faults);
      }
    }
    assertThat(faults).as(REPEAT).isEmpty();
  }

  @Test
  void everyTableIsWatchedOrSaysWhyNot() {
    var known = new TreeSet<>(Watched.TABLES.keySet());
    known.addAll(Watched.OTHER_TABLES.keySet());
    assertThat(new TreeSet<>(places().stream().map(Place::table).toList())).isEqualTo(known);
    assertThat(places()).extracting(Place::name).containsAll(Watched.OTHER_COLUMNS.keySet());
  }

  /** The document lists what this test tries. */
  @Test
  void theDocumentSaysWhatIsWatched() throws IOException {
    String document = document();
    Path written = Path.of("target", DOCUMENT.getFileName().toString());
    Files.writeString(written, document);
    assertThat(DOCUMENT).as("copy %s there", written).hasContent(document);
  }

  /** Some rows that have a value. */
  private List<String> rows(Place place, String which) {
    String some = Watched.ROWS.getOrDefault(place.name(), "true");
    return jdbc.sql(
            """
            select quote_literal(ctid) || '::tid' as row
            from (
              select ctid, row_number() over (order by ctid) as n, count(*) over () as rows
              from %s
              where %s and %s
            ) numbered
            where %s
            order by n
            """
                .formatted(
                    place.table(),
                    Watched.mayBeNull(place.name()) ? "true" : place.column() + " is not null",
                    some,
                    which))
        .query(String.class)
        .list();
  }

  private static String other(Place place) {
    String value = Watched.OTHER_VALUES.get(place.name());
    if (value != null) {
      return value;
    }
    return switch (place.type()) {
      case "text", "character varying" -> place.column() + " || 'x'";
      case "boolean" -> "not " + place.column();
      case "timestamp with time zone" -> place.column() + " + interval '1 hour'";
      case "ARRAY" -> place.column() + " || '{x}'";
      default -> place.column() + " + 1";
    };
  }

  /** Adds a fault if the change is not found and named, and no constraint refuses it. */
  private void tamper(String sql, Place place, List<String> faults) {
    List<String> found = findings(sql);
    if (found != null && found.stream().noneMatch(what -> Watched.names(place.table(), what))) {
      faults.add("\n" + sql + ": " + found);
    }
  }

  private @Nullable List<String> findings(String sql) {
    try {
      return servers.tampered(sql, records::verify).named().stream()
          .map(Difference::what)
          .map(Texts::english)
          .toList();
    } catch (DataIntegrityViolationException e) {
      return null;
    }
  }

  private String document() {
    var columns = new TreeMap<String, List<String>>();
    for (Place place : places()) {
      if (place.watched()) {
        columns.computeIfAbsent(place.table(), table -> new ArrayList<>()).add(place.column());
      }
    }
    return """
    # What verification watches

    `TamperingCampaignTest` changes each column and takes out each row of these tables, as only
    their owner can, and requires that `palmares verify` names it. Where a constraint refuses the
    change, the table itself protects the column. A build tries a tenth of the columns and tables;
    `./mvnw test -Dtest=TamperingCampaignTest -Dtests.tampering=1` tries all of them.

    | table | columns | a finding begins with |
    |---|---|---|
    %s
    ## What it does not watch

    | table or column | reason |
    |---|---|
    %s\
    """
        .formatted(
            table(
                columns, (table, all) -> "%s | %s".formatted(String.join(", ", all), words(table))),
            table(others(), (name, why) -> why));
  }

  private static Map<String, String> others() {
    var others = new TreeMap<>(Watched.OTHER_TABLES);
    others.putAll(Watched.OTHER_COLUMNS);
    others.putAll(Watched.OTHER_ROWS);
    return others;
  }

  private static String words(String table) {
    return Objects.requireNonNull(Watched.TABLES.get(table), table).stream()
        .map("`%s`"::formatted)
        .collect(Collectors.joining(", "));
  }

  private static <T> String cell(Map.Entry<String, T> row, BiFunction<String, T, String> cells) {
    return cells.apply(row.getKey(), row.getValue());
  }

  /** Partitions are named as the table is. */
  private static <T> String table(Map<String, T> rows, BiFunction<String, T, String> cells) {
    return rows.entrySet().stream()
        .map(
            row -> "| %s | %s |\n".formatted(row.getKey().replace("_shared", ""), cell(row, cells)))
        .collect(Collectors.joining());
  }
}
