package palmares.rules.boardfiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import palmares.rules.adoption.Adoption;
import palmares.rules.adoption.Adoption.Deadline;
import palmares.rules.adoption.Encoding.AppendedSeconds;
import palmares.rules.adoption.Encoding.DecimalSeconds;
import palmares.rules.adoption.Encoding.PlainPoints;
import palmares.rules.adoption.Encoding.PlainPoints.BelowZero;
import palmares.rules.adoption.Encoding.SharedRank;
import palmares.rules.adoption.Encoding.TicksLeft;
import palmares.rules.adoption.Encoding.TicksLeft.Unit;
import palmares.rules.adoption.Encoding.TimeFraction;
import palmares.rules.adoption.KeyPattern;
import palmares.rules.board.BoardId;

/** The adoption of a board is read from a few fields, and every fault is reported. */
class AdoptedFilesTest {
  private static final String RIGHT =
      """
      title: Right
      period: week
      adopt:
        key: lb:{period}
        encoding: seconds-left
      rewards:
        - { rule: top, ranks: { 1: 10 } }
      """;

  private static final String SHARED =
      """
      title: Shared
      period: day
      ranks: dense
      adopt:
        encoding: shared-rank
        members: lb:{period}:hscores
        counts: lb:{period}:hcounts
        scores: lb:{period}:zdranks
      """;

  @Test
  void keysOfHoursDifferAlsoWhereClocksAreSetBack() {
    String hours =
        RIGHT.replace("period: week", "period: hour").replace("{period}", "{start:yyyyMMddHH}");
    assertThat(FaultsOf.text(hours)).isEmpty();
    assertThat(FaultsOf.text(hours + "zone: Europe/Berlin\n"))
        .singleElement()
        .asString()
        .contains("2020-10-25T02 and 2020-10-25T02b would both have lb:2020102502");
    assertThat(FaultsOf.text(hours.replace("HH", "'h'HH"))).isEmpty();
    assertThat(FaultsOf.text(hours + "zone: Africa/Cairo\n"))
        .as("has summer time since 2023")
        .singleElement()
        .asString()
        .contains("2023-10-26T23 and 2023-10-26T23b would both have lb:2023102623");
    assertThat(FaultsOf.text(hours.replace("HH", "")))
        .singleElement()
        .asString()
        .contains("2020-01-01T00 and 2020-01-01T01 would both have lb:20200101");
  }

  /** The text of the field adopt, and its value. */
  record Case(String adopt, Adoption expected) {}

  static List<Case> cases() {
    var keys = List.of(new KeyPattern("lb:{period}"));
    return List.of(
        new Case("points", new Adoption(keys, new PlainPoints(), Deadline.END)),
        new Case(
            "points, decimals: 2, below-zero: zero, best: lowest",
            new Adoption(keys, new PlainPoints(2, BelowZero.ZERO), Deadline.END)),
        new Case("time-fraction", new Adoption(keys, new TimeFraction(), Deadline.END)),
        new Case("millis-left", new Adoption(keys, new TicksLeft(Unit.MILLIS, 41), Deadline.END)),
        new Case(
            "seconds-left, bits: 20, deadline: end+10m",
            new Adoption(
                keys, new TicksLeft(Unit.SECONDS, 20), Deadline.after(Duration.ofMinutes(10)))),
        new Case(
            "decimal-seconds-left, digits: 6, deadline: 2030-01-01T08:00:00+08:00",
            new Adoption(
                keys, new DecimalSeconds(6), Deadline.at(Instant.parse("2030-01-01T00:00:00Z")))),
        new Case(
            "appended-seconds-left, digits: 6, deadline: end-1s",
            new Adoption(keys, new AppendedSeconds(6), Deadline.after(Duration.ofSeconds(-1)))));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void eachEncodingIsReadFromAFewFields(Case each) {
    var text =
        "title: T\nperiod: week\nadopt: { key: 'lb:{period}', encoding: %s }\n"
            .formatted(each.adopt());

    var board = BoardFiles.parse(new BoardId("lb"), text);

    assertThat(board.adoption()).isEqualTo(each.expected());
    assertThat(board.actions()).isEmpty();
    assertThat(each.expected().encoding().word()).isEqualTo(each.adopt().split(",")[0]);
    assertThat(faultsBySchema(text)).isEmpty();
    assertThat(BoardDescription.of(board, Instant.parse("2026-11-20T10:00:00Z"), Locale.ENGLISH))
        .contains("  adopts      lb:{period}\n              by ")
        .contains("  next      keys in Redis\n  2026-W47  lb:2026-W47\n  2026-W48  lb:2026-W48\n");
  }

  @Test
  void theSharedRankEncodingHasThreeKeys() {
    var board = BoardFiles.parse(new BoardId("lb"), SHARED);

    assertThat(board.adoption())
        .isEqualTo(
            new Adoption(
                List.of(
                    new KeyPattern("lb:{period}:hscores"),
                    new KeyPattern("lb:{period}:hcounts"),
                    new KeyPattern("lb:{period}:zdranks")),
                new SharedRank(),
                Deadline.END));
    assertThat(faultsBySchema(SHARED)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // original | replacement | line and field | part of the message
        "lb:{period}          | lb                  | 4 adopt.key      | all periods would share"
            + " one key",
        "lb:{period}          | lb:{perod}          | 4 adopt.key      | did you mean '{period}'",
        "lb:{period}          | lb:{start:yyyyMM}   | 4 adopt.key      | 2020-W02 and 2020-W03"
            + " would both have lb:202001",
        "lb:{period}          | lb:{start:X}        | 4 adopt.key      | an invalid date"
            + " format",
        "lb:{period}          | palmares:{period}   | 4 adopt.key      | like Palmares' own keys",
        "lb:{period}          | 'lb}:{period}'      | 4 adopt.key      | no hash tag",
        "key: lb:{period}     | members: lb         | 4 adopt.members  | is allowed only with"
            + " encoding: shared-rank",
        "key: lb:{period}     | bits: 27            | 4 adopt.key      | is missing",
        "seconds-left         | second-left         | 5 adopt.encoding | did you mean"
            + " 'seconds-left'",
        "encoding: seconds-left | bits: 27          | 4 adopt.encoding | is missing",
        "seconds-left         | shared-rank         | 4 adopt.key      | is allowed only with"
            + " encoding: points",
        "seconds-left         | points\\n"
            + "  bits: 27 | 6 adopt.bits     | is allowed only with encoding: millis-left",
        "seconds-left         | seconds-left\\n"
            + "  bits: 19 | 6 adopt.bits | must hold the longest period, 168h",
        "seconds-left         | seconds-left\\n  bits: 53 | 6 adopt.bits | from 1 to 52",
        "seconds-left         | seconds-left\\n"
            + "  deadline: end+8d | 6 adopt.deadline | end, end+10m, end-1s, or an instant",
        "seconds-left         | seconds-left\\n"
            + "  deadline: 2030-01-01 | 6 adopt.deadline | end, end+10m, end-1s, or an instant",
        "seconds-left         | seconds-left\\n"
            + "  deadline: end-1 | 6 adopt.deadline | end, end+10m, end-1s",
        "seconds-left         | seconds-left\\n"
            + "  deadline: end-s1 | 6 adopt.deadline | end, end+10m, end-1s",
        "seconds-left         | seconds-left\\n"
            + "  deadline: end- | 6 adopt.deadline | end, end+10m, end-1s",
        "seconds-left         | seconds-left\\n"
            + "  deadline: end-168h | 6 adopt.deadline | by less than the length",
        "seconds-left         | appended-seconds-left | 4 adopt.digits | is missing",
        "seconds-left         | appended-seconds-left\\n"
            + "  digits: 5 | 6 adopt.digits | must hold the longest period",
        "seconds-left         | decimal-seconds-left | 4 adopt.digits  | is missing",
        "seconds-left         | decimal-seconds-left\\n"
            + "  digits: 5 | 6 adopt.digits | must hold the longest period",
        "period: week         | period: week\\n"
            + "actions: { a: 1 } | 3 actions | is not allowed together with adopt",
        "period: week         | period: week\\n"
            + "max-points: 5 | 3 max-points | is not allowed together with adopt",
        "period: week         | period: week\\n"
            + "resolution: second | 3 resolution | is not allowed together with adopt",
        "period: week         | period: week\\n"
            + "clock: event | 3 clock | is not allowed together with adopt",
        "period: week         | period: week\\n"
            + "scoring: best | 3 scoring | is not allowed together with adopt",
        "period: week         | period: week\\n"
            + "durability: committed | 3 durability | is not allowed together with adopt",
        "period: week         | period: week\\n"
            + "invites: { action: a } | 3 invites | is allowed only with durability",
        "period: week         | period: none\\n"
            + "starts: 2026-01-01 | 4 adopt | is allowed only with period: hour",
        "ranks: { 1: 10 }     | per: like, credits: 3 | 7 rewards[1].per | knows no" + " actions",
      })
  void anInvalidValueIsReportedByLineAndField(
      String part, String wrong, String where, String message) {
    var text = RIGHT.replace(part, wrong.replace("\\n", "\n"));

    var faults = FaultsOf.text(text);

    assertThat(faults)
        .anySatisfy(
            fault -> {
              assertThat(fault.line() + " " + fault.field()).isEqualTo(where);
              assertThat(fault.message()).contains(message);
            });
  }

  @Test
  void theSharedRankEncodingRanksDenselyAndItsKeysDiffer() {
    assertThat(WrongFilesTest.where(SHARED.replace("ranks: dense\n", "")))
        .containsExactly("1 ranks");
    assertThat(WrongFilesTest.where(SHARED.replace("zdranks", "hcounts")))
        .containsExactly("8 adopt.scores");
    assertThat(WrongFilesTest.where(SHARED.replaceAll(" +counts.*\n", "")))
        .containsExactly("5 adopt.counts");
  }

  @Test
  void twoBoardsMayNotAdoptTheSameKey() {
    assertThatThrownBy(
            () ->
                BoardFiles.read(
                    List.of(new BoardFile("one.yml", RIGHT), new BoardFile("two.yml", RIGHT))))
        .hasMessageContaining("two.yml: adopt has the key lb:{period}, which one adopts too");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "period: week     | period: week\\nactions: { a: 1 }",
        "period: week     | period: week\\nmax-points: 5",
        "key: lb:{period} | bits: 27",
        "seconds-left     | shared-rank",
        "seconds-left     | hours-left",
        "period: week     | period: none\\nstarts: 2026-01-01",
      })
  void theSchemaRejectsWhatTheReaderRejects(String part, String wrong) {
    var text = RIGHT.replace(part, wrong.replace("\\n", "\n"));
    assertThat(FaultsOf.text(text)).isNotEmpty();
    assertThat(faultsBySchema(text)).isNotEmpty();
    assertThat(faultsBySchema(RIGHT)).isEmpty();
  }

  private static List<?> faultsBySchema(String text) {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(BoardSchema.json())
        .validate(text, InputFormat.YAML);
  }
}
