package palmares.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.amendment.Amendments;
import palmares.amendment.Wish;
import palmares.board.MemberId;
import palmares.closing.Answer;
import palmares.closing.Approvals;
import palmares.closing.Cause;
import palmares.closing.Closings;
import palmares.exclusion.Exclusion.Terms;
import palmares.exclusion.Exclusions;
import palmares.exclusion.Level;
import palmares.period.Period;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Whatever row of a settled period the owner of the tables changes or takes out, it is found. */
@WorldTest
class TamperedRowsTest {
  /** Tables that say nothing of what was won or paid, and why. */
  private static final Map<String, String> OTHER_TABLES =
      Map.ofEntries(
          Map.entry("import_run", "who is importing just now"),
          Map.entry("run", "attempts, for diagnosis"),
          Map.entry("rebuild", "attempts, for diagnosis"),
          Map.entry("api_key", "who may write"),
          Map.entry("fact", "what others were told; forgotten once they all were"));

  /** Columns that say nothing of what was won or paid. */
  private static final Set<String> OTHER_COLUMNS =
      Set.of(
          "period.opened_at",
          "period.opened_by_import",
          "period.live_intended_at",
          "period.live_at",
          "period.seen_at",
          "period.lease_owner",
          "period.lease_until",
          "period.fence",
          "period.failures",
          "period.failure",
          "period.retry_at",
          "period.expiry_failures",
          "period.expiry_failure",
          "period.expiry_retry_at",
          "period.expires_at",
          "period.expired_at",
          "period.closes_at",
          "definition.first_used_at",
          "snapshot_slice.taken_at",
          "manifest.written_at");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private JdbcClient jdbc;
  @Autowired private Closings closings;
  @Autowired private Approvals approvals;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;

  @BeforeEach
  void aPeriodThatWasHeldAndAmended() {
    Period day =
        world.open(world.board(Contest.rules().with("payout: { approval: required, owed: debt }")));
    world.take(Contest.facts());
    world.close(day);
    approvals.approve(day.id(), new Answer("ann", "looked at it", null));
    closings.close(day.id(), Cause.of("test"), step -> {});
    exclusions.exclude(Terms.always(new MemberId("ann"), Level.HIDDEN), "cheats", "bob");
    amendments.prepare(
        day.id(), new Wish("bob", "cheats", null, Map.of(new MemberId("dan"), 300L)));
    amendments.approve(day.id(), null, "ann", "so be it");
    assertThat(records.verify().named()).isEmpty();
  }

  private record Place(String table, String column, String type) {}

  private List<Place> places() {
    return jdbc
        .sql(
            """
            select table_name as table, column_name as column, data_type as type
            from information_schema.columns
            join pg_tables on tablename = table_name and schemaname = table_schema
            where table_schema = current_schema()
              and table_name !~ '^(batch|qrtz|flyway)'
              and is_identity = 'NO'
            order by table_name, ordinal_position
            """)
        .query(Place.class)
        .list()
        .stream()
        .filter(place -> !OTHER_TABLES.containsKey(place.table()))
        .filter(place -> !OTHER_COLUMNS.contains(place.table() + "." + place.column()))
        .toList();
  }

  @Test
  void everyColumnOfEveryTableIsWatched() {
    var random = new Random(20261121);
    var missed = new TreeSet<String>();
    int tampered = 0;
    for (Place place : places()) {
      String changed = place.column() + " = " + other(place);
      String sql =
          "update %1$s set %2$s where ctid = %3$s and %4$s is not null"
              .formatted(place.table(), changed, row(place, random), place.column());
      Boolean clean = cleanAfter(sql, place);
      if (clean != null) {
        tampered++;
        if (clean) {
          missed.add(place.table() + "." + place.column());
        }
      }
    }
    assertThat(missed).isEmpty();
    assertThat(tampered).isGreaterThan(100);
  }

  @Test
  void noRowOfAnyTableCanBeTakenOut() {
    var random = new Random(20261121);
    var missed = new ArrayList<String>();
    for (Place place : places()) {
      String sql = "delete from %s where ctid = %s".formatted(place.table(), row(place, random));
      if (Boolean.TRUE.equals(cleanAfter(sql, place))) {
        missed.add(place.table());
      }
    }
    assertThat(missed).isEmpty();
  }

  private String row(Place place, Random random) {
    long rows =
        records.number(
            "select count(*) from %s where %s is not null"
                .formatted(place.table(), place.column()));
    return "(select ctid from %s where %s is not null order by ctid limit 1 offset %d)"
        .formatted(place.table(), place.column(), rows == 0 ? 0 : random.nextLong(rows));
  }

  private static String other(Place place) {
    return switch (place.type()) {
      case "text", "character varying" -> place.column() + " || 'x'";
      case "boolean" -> "not " + place.column();
      case "timestamp with time zone" -> place.column() + " + interval '1 hour'";
      case "ARRAY" -> place.column() + " || '{x}'";
      default -> place.column() + " + 1";
    };
  }

  /** Null if there is no such row, or the tables themselves refuse the change. */
  private @Nullable Boolean cleanAfter(String sql, Place place) {
    if (records.number(
            "select count(*) from %s where %s is not null".formatted(place.table(), place.column()))
        == 0) {
      return null;
    }
    try {
      Findings findings = servers.tampered(sql, records::verify);
      return findings.clean();
    } catch (DataIntegrityViolationException e) {
      return null;
    }
  }
}
