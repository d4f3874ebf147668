package palmares.rules.boardfiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import palmares.platform.form.YamlText;
import palmares.platform.text.Said;
import palmares.platform.text.Texts;
import palmares.rules.board.BoardId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every fault of a file is reported with its line, its field and a remedy. */
class WrongFilesTest {
  static final String RIGHT =
      """
      title: Right
      period: week
      zone: UTC
      actions:
        like: { points: 2, undo: true }
        coin: { points: 1, max-quantity: 100 }
      max-points: 1000
      rewards:
        - rule: prizes
          ranks: { 1: 10, 2-3: 5 }
        - rule: likes
          per: like
          credits: 3
      """;

  @Test
  void allFaultsOfAllFilesAreReportedTogether() {
    var coins =
        """
        title: Coins
        period: dayly
        actions:
          coin: { points: 1e3, max-quantity: 0 }
          bonus: 5000
        max-points: 1000
        """;
    var invites =
        """
        titel: Invites
        period: week
        zone: EST
        max-points: 1000
        actions:
          invite: 100
        rewards:
          - rule: top
            ranks:
              1-3: 50
              3-5: 10
          - rule: top
            per: invites
        """;

    var thrown =
        catchThrowableOfType(
            BoardFilesException.class,
            () ->
                BoardFiles.read(
                    List.of(
                        new BoardFile("coins.yml", coins),
                        new BoardFile("Invites.yml", invites),
                        new BoardFile("right.yml", RIGHT))));

    assertThat(thrown.faults())
        .extracting(fault -> "%s %d %s".formatted(fault.file(), fault.line(), fault.field()))
        .containsExactly(
            "coins.yml 2 period",
            "coins.yml 4 actions.coin.points",
            "coins.yml 4 actions.coin.max-quantity",
            "coins.yml 5 actions.bonus",
            "Invites.yml 0 ",
            "Invites.yml 1 titel",
            "Invites.yml 1 title",
            "Invites.yml 3 zone",
            "Invites.yml 11 rewards[1].ranks.3-5",
            "Invites.yml 13 rewards[2].per");
    assertThat(thrown)
        .hasMessageStartingWith(
            "10 faults in the board files:\n  coins.yml:2: period must be one of")
        .hasMessageContaining("; did you mean 'day'?")
        .hasMessageContaining(
            "Invites.yml:1: titel is not a field of a board; did you mean 'title'?");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e3",
        "NaN",
        ".nan",
        ".inf",
        "0x10",
        "1_000",
        "9007199254740992",
        "-1",
        "0",
        "1.0",
        "+5",
        "007",
        "99999999999999999999999",
        "'5'",
        "~",
        "[5]",
        "{ a: 5 }",
        "five",
        "5 points",
        "true",
      })
  void pointsAreAWholeNumberInPlainDigits(String number) {
    assertThat(FaultsOf.text(RIGHT.replace("max-points: 1000", "max-points: " + number)))
        .extracting(fault -> fault.line() + " " + fault.field())
        .containsExactly("7 max-points");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // original | replacement | line and field | part of the message
        "title: Right      | title: 2026         | 1 title          | put '2026' in quotes",
        "title: Right      | title:              | 1 title          | has no value",
        "zone: UTC         | zone: Asia/Shangai  | 3 zone           | did you mean 'Asia/Shanghai'",
        "zone: UTC         | zone: +08:00        | 3 zone           | no offset such as +08:00",
        "zone: UTC         | zone: EST5EDT       | 3 zone           | no abbreviation",
        "zone: UTC         | week-start: mon     | 3 week-start     | one of monday, tuesday",
        "zone: UTC         | grace: 10           | 3 grace          | such as 90s, 10m, 1h30m",
        "zone: UTC         | grace: 10 min       | 3 grace          | such as 90s, 10m, 1h30m",
        "zone: UTC         | grace: 169h         | 3 grace          | up to seven days",
        "zone: UTC         | retention: 12m      | 3 retention      | such as 31 days",
        "zone: UTC         | retention: 11 years | 3 retention      | up to ten years",
        "zone: UTC         | clock: wall         | 3 clock          | one of server, event",
        "zone: UTC         | durability: safe    | 3 durability     | one of fast, committed",
        "zone: UTC         | invites: { action: like } | 3 invites  | is allowed only with"
            + " durability",
        "zone: UTC         | starts: 2026-01-01  | 3 starts         | is allowed only with period:"
            + " none",
        "zone: UTC         | title: Again        | 3 title          | a duplicate of line 1",
        "zone: UTC         | resolution: seconds | 3 resolution     | did you mean 'second'",
        "period: week      | period: month       | 0                |",
        "period: week      | period: weekly      | 2 period         | day, week, month, quarter",
        "max-points: 1000  | max-points: 99      | 6 actions.coin   | 100 times 1 points",
        "undo: true        | undo: yes           | 5 actions.like.undo | true or false",
        "like: {           | Like: {             | 5 actions.Like   | lower-case letters",
        "points: 2,        | point: 2,           | 5 actions.like.point | did you mean 'points'",
        "2-3: 5            | 3-2: 5              | 10 rewards[1].ranks.3-2 | such as 4-10",
        "2-3: 5            | 1-3: 5              | 10 rewards[1].ranks.1-3 | each rank once",
        "1: 10             | 1: 0                | 10 rewards[1].ranks.1 | from 1 to",
        "rule: likes       | rule: prizes        | 11 rewards[2].rule | a rule above",
        "per: like         | per: likes          | 12 rewards[2].per | did you mean 'like'",
        "credits: 3        | ranks: { 1: 5 }     | 11 rewards[2]    | only one of ranks, per",
        "credits: 3        | credits: &x 3       | 13               | anchor",
        "credits: 3        | credits: !!int 3    | 13               | tag",
      })
  void anInvalidValueIsReportedByLineAndField(
      String part, String wrong, String where, String message) {
    assertThat(RIGHT).contains(part);
    var faults = FaultsOf.text(RIGHT.replace(part, wrong));

    if (message == null) {
      assertThat(faults).isEmpty();
    } else {
      assertThat(faults.get(0).message()).contains(message);
      assertThat((faults.get(0).line() + " " + faults.get(0).field()).strip()).isEqualTo(where);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "max-points: 8388607 / layout: packed |",
        "max-points: 8388608 / layout: packed | at most 8388607",
        "max-points: 8388608 / layout: packed | resolution: second there is room for",
        "max-points: 8388608 / layout: packed | layout: wide has room",
        "max-points: 8388608 |",
        "max-points: 9007199254740991 |",
        "max-points: 9007199254740991 / then-by: { name: tries, max: 1 } | at most"
            + " 4503599627370495",
        "max-points: 1000 / then-by: { name: tries, max: 1, wins: first } | one of fewest, most",
        "max-points: 1000 / then-by: { max: 1 } | is missing",
        "max-points: 1000 / max-events: 5 | is allowed only with tiebreak: arrival",
        "max-points: 1000 / tiebreak: arrival / max-events: 5 |",
        "max-points: 1000 / tiebreak: arrival / max-events: 0 | from 1 to",
        "max-points: 1000 / scoring: best | neither points nor max-quantity",
        "max-points: 1000 / scoring: worst | one of add, best, latest, lowest-best",
        "max-points: 1000 / layout: thin | one of packed, wide",
        "max-points: 1000 / durability: committed / invites: { action: like } |",
        "max-points: 1000 / durability: committed / invites: { action: lik } | did you mean 'like'",
        "max-points: 1000 / durability: committed / invites: { action: like, self: ok } | one of",
        "max-points: 1000 / scoring: best / durability: committed / invites: { action: like }"
            + " | where points add up",
      })
  void aScaleThatIsNotExactIsRefusedWithARemedy(String fields, String message) {
    var faults =
        FaultsOf.text(RIGHT.replace("max-points: 1000", fields.replace(" / ", "\n"))).stream()
            .map(Object::toString)
            .toList();

    if (message == null) {
      assertThat(faults).isEmpty();
    } else {
      assertThat(faults).anySatisfy(fault -> assertThat(fault).contains(message));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ points: 2, once-per: day } |",
        "{ points: 2, once-per: hour } | one of event, subject, subject-a-day, day",
        "{ points: 2, once-per: subject-a-day, undo: true, max-quantity: 3, max-per-day: 6 } |",
        "{ points: 2, once-per: day, undo: true } | cannot be undone if it counts once per day",
        "{ points: 2, max-quantity: 5, max-per-day: 4 } | at most 4 can ever count",
        "{ undo: true } | must have points",
        "{ points: 2, max-per-period: 0 } | from 1 to",
      })
  void anInconsistentActionIsRefused(String like, String message) {
    var faults =
        FaultsOf.text(RIGHT.replaceFirst("like: \\{.*}", "like: " + like)).stream()
            .map(Object::toString)
            .toList();

    if (message == null) {
      assertThat(faults).isEmpty();
    } else {
      assertThat(faults).anySatisfy(fault -> assertThat(fault).contains(message));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"best", "latest", "lowest-best"})
  void undoIsRefusedWhereEventsCarryValues(String scoring) {
    assertThat(
            FaultsOf.text(
                RIGHT
                    .replaceFirst("like: \\{.*}", "like: { once-per: subject, undo: true }")
                    .replace("max-points", "scoring: " + scoring + "\nmax-points")))
        .anySatisfy(
            fault ->
                assertThat(fault.toString())
                    .contains("cannot be undone with scoring: " + scoring, "remove undo"));
  }

  @Test
  void seasonsAreInOrderWithoutOverlaps() {
    var file =
        """
        title: Seasons
        period: seasons
        seasons:
          - { name: spring, from: 2026-02-01, to: 2026-02-28 }
          - { name: spring, from: 2026-02-28, to: 2026-03-31 }
          - { name: summer, from: 2026-07-02, to: 2026-07-01 }
          - { name: '1:2', from: 2026-02-30, to: 2026-8-1 }
        actions: { win: 3 }
        max-points: 1000
        """;

    assertThat(where(file.replaceAll("(?m)^.*1:2.*\n", "")))
        .containsExactly("5 seasons[2].from", "5 seasons[2].name", "6 seasons[3].to");
    assertThat(where(file))
        .containsExactly("7 seasons[4].name", "7 seasons[4].from", "7 seasons[4].to");
  }

  @Test
  void periodsOfSeveralDaysBeginOnADayThatExistsAndAtATimeBeforeNoon() {
    String every = "period: { every: %s, unit: %s, from: %s }\nstarts-at: %s";
    assertThat(said(every.formatted("3", "days", "2026-11-20", "'04:00'"))).isEmpty();
    assertThat(said(every.formatted("0", "days", "2026-11-20", "04:00")))
        .containsExactly("must be a whole number from 1 to 366, in digits only, not '0'");
    assertThat(said(every.formatted("2", "months", "2026-11-30", "04:00")))
        .containsExactly("must be a day that every month has, up to the 28th, not 2026-11-30");
    assertThat(said(every.formatted("2", "hours", "2026-11-20", "18:00")))
        .containsExactly(
            "must be one of days, weeks, months, not 'hours'",
            "must be a time of day from 00:00 to 12:00, such as 04:00, not '18:00'");
    assertThat(
            FaultsOf.text(
                RIGHT
                    .replace("period: week", "period: hour")
                    .replaceFirst("like: \\{.*}", "like: { points: 1, max-per-day: 1 }")))
        .singleElement()
        .asString()
        .contains("each period is an hour: use max-per-period");
    assertThat(said("period: hour\nstarts-at: 04:00"))
        .containsExactly(
            "is allowed only with period: day, week, month, quarter, year, {…}, not with hour:"
                + " remove it");
    assertThat(said(every.formatted("1", "weeks", "2026-11-20", "04:00") + "\nweek-start: monday"))
        .singleElement()
        .asString()
        .contains("only with period: week");
  }

  private static List<String> said(String period) {
    return FaultsOf.text(RIGHT.replace("period: week", period)).stream()
        .map(fault -> Texts.english(fault.said()))
        .toList();
  }

  @Test
  void aSeasonDoesNotBeginOrEndAtATimeThatTheClocksSkip() {
    var file =
        """
        title: Seasons
        period: seasons
        zone: Europe/Berlin
        seasons:
          - { name: night, from: 2026-03-29T02:30, to: 2026-03-29T03:00 }
        actions: { win: 3 }
        max-points: 1000
        """;
    assertThat(FaultsOf.text(file))
        .singleElement()
        .asString()
        .contains("must exist: the clocks of Europe/Berlin skip 2026-03-29T02:30");
    assertThat(FaultsOf.text(file.replace("02:30", "01:30"))).isEmpty();
  }

  @Test
  void aBoardThatNeverClosesHasNoRewardsAndNoGrace() {
    var file = RIGHT.replace("period: week", "period: none\ngrace: 1m\nretention: 1 year");

    assertThat(where(file)).containsExactly("1 starts", "3 grace", "4 retention", "10 rewards");
    assertThat(
            where(
                "title: T\nperiod: none\nstarts: 2026-01-01\nuntil: 2026-01-01\n"
                    + "actions: { a: 1 }\nmax-points: 5\n"))
        .containsExactly("4 until");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "until: 9999-12-31",
        "until: 2200-01-01",
        "until: 2262-04-12",
        "until: 0001-01-01"
      })
  void aDateOutOfRangeIsRefusedWithFileAndLine(String until) {
    assertThatThrownBy(
            () ->
                BoardFiles.read(
                    List.of(
                        new BoardFile(
                            "far.yml",
                            "title: T\nperiod: none\nstarts: 1970-01-01\n%s\n".formatted(until)
                                + "actions: { a: 1 }\nmax-points: 5\n"))))
        .hasMessageContaining("far.yml:4")
        .hasMessageContaining("a date from 1970-01-01 to 2199-12-31");
  }

  @ParameterizedTest
  @ValueSource(strings = {"microsecond", "millisecond", "second", "minute"})
  void theLongestPeriodIsValidAtEveryResolution(String resolution) {
    var file =
        "title: T\nperiod: %s\nresolution: %s\nlayout: wide\nactions: { a: 1 }\nmax-points: 5\n";
    assertThat(where(file.formatted("none\nstarts: 1970-01-01\nuntil: 2199-12-31", resolution)))
        .isEmpty();
    assertThat(
            where(
                file.formatted(
                    "seasons\nseasons: [{ name: s, from: 1970-01-01, to: 2199-12-31 }]",
                    resolution)))
        .isEmpty();
  }

  @Test
  void prizesThatNoAccountCanHoldAreRefused() {
    var file = RIGHT.replace("2-3: 5", "2-999999999: 9007199254740991");

    assertThat(FaultsOf.text(file))
        .singleElement()
        .hasToString(
            "wrong.yml:8: rewards could add up to 9007199236726592490519528 credits on a board of"
                + " 1000000000 members, more than an account can hold: at most"
                + " 9223372036854775807");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "# nothing\n",
        "---",
        "- a",
        "a: b: c",
        "title: 'T",
        "a: \u0001",
        "a: 1\n---\nb: 2"
      })
  void aTextThatIsNotAFormIsOneFault(String text) {
    assertThat(FaultsOf.text(text)).hasSize(1);
  }

  @Test
  void aLargeOrDeeplyNestedFileIsRefusedCheaply() {
    assertThat(FaultsOf.text("a: " + "x".repeat(YamlText.MAX_CHARACTERS))).hasSize(1);
    assertThat(FaultsOf.text("a: " + "[".repeat(YamlText.MAX_CHARACTERS - 10))).hasSize(1);
  }

  @Test
  void allFilesOfAFolderAreReadOrReported(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("right.yml"), RIGHT);
    Files.writeString(folder.resolve("README.md"), "not a board");
    assertThat(BoardFiles.read(folder).find(new BoardId("right"))).isPresent();

    Files.writeString(folder.resolve("other.yaml"), RIGHT);
    Files.writeString(folder.resolve("all.yml"), RIGHT);
    Files.write(
        folder.resolve("latin.yml"), "title: caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> BoardFiles.read(folder))
        .hasMessageContaining("other.yaml: ends in .yaml")
        .hasMessageContaining("all.yml: has an invalid name: 'all' means all boards")
        .hasMessageContaining("latin.yml: is not in UTF-8");
  }

  @Test
  void filesOfOneBoardAndTooManyAreReported() {
    var twice = List.of(new BoardFile("race", RIGHT), new BoardFile("race.yml", RIGHT));
    assertThatThrownBy(() -> BoardFiles.read(twice))
        .hasMessageContaining("race.yml: is of the board race, as another file is");
    var many = Collections.nCopies(1_001, new BoardFile("race.yml", RIGHT));
    assertThatThrownBy(() -> BoardFiles.read(many))
        .hasMessageContaining("has 1,001 files, more than 1000, the limit for boards");
    var wrong =
        IntStream.range(0, 150).mapToObj(n -> new BoardFile("b" + n + ".yml", "x: 1")).toList();
    assertThatThrownBy(() -> BoardFiles.read(wrong))
        .satisfies(
            e -> assertThat(String.valueOf(e.getMessage()).lines()).hasSizeLessThanOrEqualTo(101));
  }

  @Test
  @Timeout(20)
  void irregularFilesAreReportedAndNeverOpened(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("right.yml"), RIGHT);
    Path pipe = folder.resolve("pipe.yml");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Files.createSymbolicLink(folder.resolve("device.yml"), Path.of("/dev/zero"));
    Files.createSymbolicLink(folder.resolve("nothing.yml"), Path.of("nowhere"));
    Files.createSymbolicLink(folder.resolve("linked.yml"), folder.resolve("right.yml"));
    Files.createDirectory(folder.resolve("sub.yml"));
    Files.write(folder.resolve("huge.yml"), new byte[(1 << 20) + 1]);
    assertThatThrownBy(() -> BoardFiles.read(folder))
        .hasMessageContaining("pipe.yml: is a pipe, a device or a socket and is not opened")
        .hasMessageContaining("device.yml: is a pipe, a device or a socket and is not opened")
        .hasMessageContaining("nothing.yml: is a broken link")
        .hasMessageContaining("sub.yml: is a folder")
        .hasMessageContaining("huge.yml: has more than 1048576 bytes")
        .hasMessageNotContaining("linked.yml");
  }

  @Test
  void aMissingOrEmptyFolderIsReported(@TempDir Path folder) throws IOException {
    var file = Files.writeString(folder.resolve("file"), "");

    assertThatThrownBy(() -> BoardFiles.read(folder))
        .hasMessageContaining("has no board: create one with `palmares boards new invites`");
    assertThatThrownBy(() -> BoardFiles.read(file)).hasMessageContaining("is not a folder");
    assertThatThrownBy(() -> BoardFiles.readFrom(folder.resolve("none")))
        .hasMessageContaining("does not exist");
  }

  @Test
  void aServerMayHaveAnEmptyFolderButNoMissingOrFaultyOne(@TempDir Path folder) throws IOException {
    Files.createFile(folder.resolve(".keep"));
    Catalogue none = BoardFiles.readForServer(folder);
    assertThat(none.all()).isEmpty();
    assertThat(none.emptyFolder()).contains(folder.toAbsolutePath());

    Path missing = folder.resolve("none");
    assertThatThrownBy(() -> BoardFiles.readForServer(missing))
        .hasMessageContaining("does not exist");
    Path other = Files.writeString(folder.resolve("README.md"), "not a board");
    assertThatThrownBy(() -> BoardFiles.readForServer(folder)).hasMessageContaining("has no board");
    Files.delete(other);
    Path wrong = Files.writeString(folder.resolve("wrong.yml"), "title: 3");
    assertThatThrownBy(() -> BoardFiles.readForServer(folder))
        .hasMessageContaining("wrong.yml:1: title");
    Files.writeString(wrong, RIGHT);
    assertThat(BoardFiles.readForServer(folder).emptyFolder()).isEmpty();
  }

  @Test
  void faultsAreSaidInTheLanguageOfTheReader() {
    String text =
        RIGHT
            .replace("title: Right", "titel: Right")
            .replace("zone: UTC", "zone: Asia/Shangai")
            .replace("credits: 3", "");
    assertThatThrownBy(() -> BoardFiles.parse(new BoardId("wrong"), text))
        .isInstanceOfSatisfying(
            BoardFilesException.class,
            thrown ->
                assertThat(Texts.in(Locale.CHINESE).of(thrown.said()).split("\n"))
                    .containsExactly(
                        "榜单文件中有 4 处错误：",
                        "  wrong.yml:1：titel 不是榜单的字段（是否指“title”？）",
                        "  wrong.yml:1：title 缺失：榜单的显示名称。",
                        "  wrong.yml:3：zone 应为 IANA 时区，例如 Asia/Shanghai、America/New_York 或 UTC（不接受"
                            + " EST 之类的缩写和 +08:00 之类的偏移），而不是“Asia/Shangai”（是否指“Asia/Shanghai”？）",
                        "  wrong.yml:11：rewards[2].credits 缺失：每个“like”发放多少"));
  }

  /** A description is said in the JSON Schema and, if the field is missing, in a message. */
  @Test
  void everyFieldIsDescribedAndNothingElse() {
    ResourceBundle texts =
        ResourceBundle.getBundle("palmares.platform.text.sentences", Locale.ROOT);
    var described =
        texts.keySet().stream().filter(key -> key.matches("board-field\\..+\\..+")).toList();
    assertThat(
            JsonMapper.shared().readTree(BoardSchema.json()).findValues("description").stream()
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue))
        .hasSizeGreaterThan(50)
        .containsExactlyInAnyOrderElementsOf(
            described.stream().map(key -> Texts.english(new Said(key, Map.of(), ""))).toList());
  }

  static List<String> where(String text) {
    return FaultsOf.text(text).stream().map(fault -> fault.line() + " " + fault.field()).toList();
  }
}
