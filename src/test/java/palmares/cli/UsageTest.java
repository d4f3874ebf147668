package palmares.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import palmares.cli.launch.CommonOptions;

/** Help, usage errors, board files and input files, which need no server. */
class UsageTest {
  private static final List<String> COMMANDS =
      List.of(
          "demo",
          "server",
          "info",
          "import",
          "close",
          "preview",
          "approve",
          "reject",
          "restart",
          "pause",
          "resume",
          "amend",
          "tasks",
          "what-if",
          "report",
          "member",
          "invites",
          "fame",
          "month",
          "tiers",
          "runs",
          "late",
          "withheld",
          "ledger",
          "explain",
          "manifest",
          "audit",
          "verify",
          "rebuild",
          "journal",
          "exclude",
          "lists",
          "exclusions",
          "forget",
          "outbox",
          "reconcile",
          "replay",
          "memory",
          "archive",
          "boards",
          "people",
          "api-keys",
          "periods",
          "inbox",
          "hold",
          "extend",
          "completion",
          "help");

  /** The help of commands and their subcommands, which documents name hundreds of times. */
  private static final Map<String, String> HELPS = new HashMap<>();

  private static final String PERIOD = "race 2026-W47";
  private static final String DECISION = PERIOD + " --reason x";

  /** The commands that a server carries out, with arguments that they take. */
  private static final Map<String, String> REMOTE =
      Map.ofEntries(
          Map.entry("info", ""),
          Map.entry("import", "pom.xml"),
          Map.entry("inbox", ""),
          Map.entry("close", PERIOD),
          Map.entry("periods", ""),
          Map.entry("preview", PERIOD),
          Map.entry("hold", DECISION),
          Map.entry("extend", DECISION + " --until 2026-12-01"),
          Map.entry("approve", DECISION),
          Map.entry("reject", DECISION),
          Map.entry("restart", DECISION),
          Map.entry("pause", "race --reason x"),
          Map.entry("resume", "race --reason x"),
          Map.entry("amend", DECISION),
          Map.entry("tasks", ""),
          Map.entry("tasks resume", "1"),
          Map.entry("tasks cancel", "1 --reason x"),
          Map.entry("what-if", PERIOD + " --without ann"),
          Map.entry("report", PERIOD),
          Map.entry("member", "ann"),
          Map.entry("invites", ""),
          Map.entry("fame", "race"),
          Map.entry("month", "2026-11"),
          Map.entry("tiers", "arena"),
          Map.entry("runs", ""),
          Map.entry("late", ""),
          Map.entry("late accept", DECISION + " --all"),
          Map.entry("late dismiss", DECISION + " --all"),
          Map.entry("withheld", ""),
          Map.entry("withheld release", DECISION + " --all"),
          Map.entry("withheld refuse", PERIOD + " ann --reason x"),
          Map.entry("ledger account", "ann"),
          Map.entry("ledger balance", ""),
          Map.entry("ledger payout", PERIOD),
          Map.entry("ledger period", PERIOD),
          Map.entry("explain", "ann " + PERIOD),
          Map.entry("manifest", PERIOD),
          Map.entry("audit", ""),
          Map.entry("verify", ""),
          Map.entry("rebuild", PERIOD),
          Map.entry("journal quarantine", ""),
          Map.entry("journal quarantine release", PERIOD + " 1 --reason x"),
          Map.entry("journal quarantine discard", PERIOD + " 1 --reason x"),
          Map.entry("exclude", "ann --level hidden --reason x"),
          Map.entry("exclusions", ""),
          Map.entry("lists", ""),
          Map.entry("lists list", ""),
          Map.entry("lists show", "staff"),
          Map.entry("lists create", "staff --reason x"),
          Map.entry("lists add", "staff ann --level hidden --reason x"),
          Map.entry("lists remove", "staff ann --reason x"),
          Map.entry("forget", "ann --reason x"),
          Map.entry("outbox", ""),
          Map.entry("reconcile", ""),
          Map.entry("replay", "race --prizes jobs/quiz.yml"),
          Map.entry("memory", ""),
          Map.entry("archive", "--check"),
          Map.entry("boards", ""),
          Map.entry("people list", ""),
          Map.entry("people add", "ann --role viewer"),
          Map.entry("people roles", "ann viewer"),
          Map.entry("people disable", "ann"),
          Map.entry("people enable", "ann"),
          Map.entry("people end-sessions", "ann"),
          Map.entry("people reset-password", "ann"),
          Map.entry("api-keys list", ""),
          Map.entry("api-keys create", "--name shop --role viewer"),
          Map.entry("api-keys rotate", "shop"),
          Map.entry("api-keys revoke", "shop"));

  /** The commands that are about this machine, and refuse a server. */
  private static final Map<String, String> HERE = Map.of("demo", "", "server", "");

  /** Groups of commands, and those that read files of this machine or the program alone. */
  private static final Set<String> OTHERS =
      Set.of(
          "",
          "api-keys",
          "ledger",
          "people",
          "journal",
          "boards check",
          "boards new",
          "help",
          "completion");

  /** A call in a document: a code span, or a line of an indented or fenced block. */
  private static final Pattern CALL =
      Pattern.compile(
          "(?m)`palmares ([a-z][^`]*)`|^(?: {4}.*)?palmares(?:\\.jar)? ([a-z][a-z-]* .*)$");

  private static final Pattern OPTION =
      Pattern.compile("(?<![\\w-])(?:--[a-z][a-z-]*|-[a-zA-Z](?![\\w-]))");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?m)^ +palmares(?:\\.jar)? ([a-z][a-z-]* .*)$");
  private static final Pattern ANY_OPTION = Pattern.compile("(?<![\\w-])--[^\\s=\\[\\],.';:|)]+");
  private static final Pattern SUBCOMMAND = Pattern.compile("(?m)^  ([a-z-]+)  ");

  @TempDir private Path folder;

  @Test
  void withoutArgumentsItListsTheCommands() {
    Called called = Called.alone();
    assertThat(called.exitCode()).isZero();
    assertThat(called.out()).contains(COMMANDS).contains("SPRING_DATASOURCE_URL");
  }

  @Test
  void allOptionsAreInKebabCase() {
    var options =
        Stream.concat(REMOTE.keySet().stream(), HERE.keySet().stream())
            .map(command -> Called.alone((command + " --help").split(" ")).out())
            .flatMap(help -> ANY_OPTION.matcher(help).results())
            .map(MatchResult::group)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(options).hasSizeGreaterThan(60).allMatch(name -> name.matches("--[a-z]+(-[a-z]+)*"));
  }

  /** What changes something prints a sentence; everything else is a list in every format. */
  @Test
  void eachCommandThatPrintsRowsHasEveryFormat() {
    assertThat(REMOTE.keySet())
        .filteredOn(command -> !command.equals("import"))
        .allSatisfy(
            command -> {
              String help = Called.alone((command + " --help").split(" ")).out();
              assertThat(help)
                  .containsPattern(
                      "table \\(for\\s+people; the\\s+default\\),\\s+csv,\\s+json\\s+or\\s+xlsx"
                          + "|--reason");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory --drop-orphans", "archive --before 2026-01-01"})
  void aReasonThatCannotBeStoredIsRefusedFirst(String line) {
    for (String reason : List.of(" ", "x".repeat(501), "a\0b")) {
      Called called =
          Called.alone(
              Stream.concat(Stream.of(line.split(" ")), Stream.of("--reason", reason))
                  .toArray(String[]::new));
      assertThat(called.exitCode()).isEqualTo(2);
      assertThat(called.err()).contains("1 to 500 characters");
    }
  }

  @Test
  void itPrintsItsVersion() {
    assertThat(Called.alone("--version").out()).startsWith("palmares ");
  }

  /**
   * Every command that acts or reads asks the server that is named, and never these databases
   * instead; the help says which commands there are.
   */
  @Test
  void everyCommandThatActsOrReadsCallsTheServerThatIsNamed() {
    var all = new TreeSet<>(withSubcommands().keySet());
    all.removeAll(OTHERS);
    var known = new TreeSet<>(HERE.keySet());
    known.addAll(REMOTE.keySet());
    assertThat(known).isEqualTo(all);
    assertThat(REMOTE)
        .allSatisfy(
            (command, arguments) -> {
              Called called = called(command, arguments);
              assertThat(called.err()).contains("palmares: the server does not answer", "--url");
              assertThat(called.exitCode()).isEqualTo(4);
              assertThat(shownHelp(command))
                  .as("help of " + command)
                  .contains("--url=URL", "--token=TOKEN", "--profile=NAME");
            });
    assertThat(HERE)
        .allSatisfy(
            (command, arguments) -> {
              Called called = called(command, arguments);
              assertThat(called.err()).contains("--url");
              assertThat(called.exitCode()).isEqualTo(2);
              assertThat(shownHelp(command))
                  .as("help of " + command)
                  .doesNotContain("--url", "--token", "--profile");
            });
  }

  private static String shownHelp(String command) {
    return Called.alone((command + " --help").split(" ")).out();
  }

  /** Calls a command of a server that is not there. */
  private static Called called(String command, String arguments) {
    String call = "%s %s --url http://127.0.0.1:1 --token x".formatted(command, arguments);
    return Called.alone(call.split(" +"));
  }

  static Stream<String> commands() {
    return COMMANDS.stream();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theHelpOfEachCommandHasExitCodesAndExamples(String command) {
    Called called = Called.alone(command, "--help");
    assertThat(called.exitCode()).isZero();
    assertThat(called.out()).contains("Usage: palmares " + command, "Exit codes:", "Examples:");
    List<String> local = List.of("--data=DIR", "--jobs=DIR", "-D=KEY=VALUE", "4   ");
    if (Set.of("help", "completion").contains(command)) {
      assertThat(called.out()).doesNotContain(local).doesNotContain("--url");
    } else {
      assertThat(called.out()).contains(local);
    }
  }

  @Test
  void theDocumentedExitCodesAreThoseOfTheCommands() throws IOException {
    Set<String> documented =
        codes("(?m)^\\| (\\d+) \\|", Files.readString(Path.of("src", "docs", "commands.md")));
    assertThat(documented).isNotEmpty().isEqualTo(exitCodes(Called.alone("--help")));
    var all = new TreeSet<String>();
    COMMANDS.forEach(command -> all.addAll(exitCodes(Called.alone(command, "--help"))));
    assertThat(all).isEqualTo(documented);
  }

  private static Set<String> exitCodes(Called help) {
    String list = help.out().replaceAll("(?s).*\nExit codes:\n(.*?)(\n\n.*|$)", "$1");
    return codes("(?m)^ +(\\d+) +\\S", list);
  }

  private static Set<String> codes(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(code -> code.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theScriptOfABashCompletesCommandsAndOptions() throws Exception {
    String bash = Called.alone("completion", "bash").out();
    assertThat(Called.alone("completion", "zsh").out())
        .isEqualTo("autoload -U +X bashcompinit && bashcompinit\n" + bash);
    Path script = Files.writeString(folder.resolve("completion"), bash);
    assertThat(inBash("-n", script.toString())).isEmpty();
    assertThat(completed(script, "palmares", "clo")).containsExactly("close");
    assertThat(completed(script, "palmares", "close", "--idem"))
        .containsExactly("--idempotency-key");
  }

  /** What bash offers for the last word. */
  private static List<String> completed(Path script, String... words) throws Exception {
    String call =
        ("source %s; compopt() { :; }; COMP_WORDS=(%s); COMP_CWORD=%d;"
                + " _complete_palmares; echo ${COMPREPLY[@]}")
            .formatted(script, String.join(" ", words), words.length - 1);
    return List.of(inBash("-c", call).strip().split("\\s+"));
  }

  private static String inBash(String... arguments) throws Exception {
    Process bash =
        new ProcessBuilder(Stream.concat(Stream.of("bash"), Stream.of(arguments)).toList())
            .redirectErrorStream(true)
            .start();
    String out = new String(bash.getInputStream().readAllBytes(), UTF_8);
    assertThat(bash.waitFor()).as(out).isZero();
    return out;
  }

  @Test
  void theHelpHidesCommonOptionsThatDoNothing() {
    assertThat(Called.alone("runs", "--help").out()).contains("--url=URL", "--token", "--profile");
    assertThat(Called.alone("server", "--help").out())
        .contains("--data=DIR")
        .doesNotContain("--url", "--token", "--profile");
    assertThat(Called.alone("boards", "new", "--help").out())
        .contains("--jobs=DIR")
        .doesNotContain("--url", "--token", "--profile", "--data");
    assertThat(Called.alone("server", "--url", "http://localhost:1").err()).contains("--url");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          impotr                      | there is no command 'impotr'; did you mean 'import'?
          api-keys creat              | there is no command 'creat'; did you mean 'create'?
          close --deu                 | there is no option '--deu'; did you mean '--due'?
          import                      | missing: FILE
          info --format json          | use --format, --raw, --out only with --url
          close invites               | name BOARD PERIOD or --due
          close invites 2026-W47 --due | name BOARD PERIOD or --due
          close --due --wait -5       | is 0 or more, not -5
          report invites              | name PERIOD or --from DAY --to DAY or --all
          report invites 2026-W47 --all | name PERIOD or --from DAY --to DAY or --all
          report invites --all --top 0 | is 1 or more, not 0
          report invites --all --format xml | --format is 'xml', and must be one of
          member                      | missing: [BOARD] MEMBER
          member ann --record         | use --record, --after only with BOARD MEMBER
          member race ann --top 0     | is 1 or more, not 0
          member race ann --count 0   | is 1 or more, not 0
          fame race --count 1001      | is 1 to 1,000, not 1001
          runs --count 0              | is 1 or more, not 0
          exclude ann --level hidden  | missing: --reason=TEXT
          exclude ann --reason law    | name MEMBER --level LEVEL or MEMBER --lift ID or --file FILE
          late --count 0              | is 1 or more, not 0
          late accept invites 2026-W47 --reason why | name ID... or --all
          late accept invites 2026-W47 x --all --reason why | name ID... or --all
          late accept invites 2026-W47 x | missing: --reason=TEXT
          ledger                      | name a command:
          ledger account ann --kind cat | --kind is 'cat', and must be one of
          ledger payout               | name BOARD or --month MONTH
          ledger payout race --month 2026-11 | name BOARD or --month MONTH
          ledger payout race 2026-W47 --from 2026-11-01 | a range takes no PERIOD, --month
          ledger payout race --revision 1 | --revision needs BOARD, PERIOD
          ledger payout race --zone Asia/Tokyo | --zone needs --month
          report invites 2026-W47 --from 2026-11-01 | name PERIOD or --from DAY
          outbox --retry --forget --target webhook | use only one of --retry, --from, --forget, --attempts
          outbox --forget             | --forget needs --target
          outbox --failed             | use --failed, --count, --after only with --attempts
          outbox --count 3            | use --failed, --count, --after only with --attempts
          exclusions --board race     | name both --board and --period, or neither
          exclusions --revision 1     | --revision needs --board, --period
          exclusions ann --board race --period 2026-W47 | name MEMBER or --all or --board BOARD
          outbox --from yesterday     | takes a day such as 2026-11-20
          memory --drop-orphans       | --drop-orphans needs --reason
          memory --force-unknown      | use --force-unknown, --all only with --drop-orphans
          periods --etag              | --etag needs BOARD, PERIOD
          report invites 2026-W47 --differences | --differences needs --revision
          reconcile --file x --resend | use only one of --file, --fetch, --resend, --return, --accept
          reconcile --lines 3         | use --from, --to, --lines only with --file
          reconcile --all             | use ID, --all only with --resend, --return, --accept
          reconcile --resend --all    | missing: --reason=TEXT
          completion fish             | SHELL is 'fish', and must be one of bash, zsh
          archive --before 2026-01-01 | --before needs --reason
          archive --before soon --reason y | takes a day such as 2026-11-20
          archive --reason y          | name --before DAY or --check
          archive --check --drop      | --check takes no --before, --drop, --all
          server --port eighty        | --port is 'eighty', and must be a whole number
          server --roles cook         | --roles is 'cook', and must be one of writer, scheduler
          verify -D nonsense          | -D is 'nonsense', and must be like KEY=VALUE
          api-keys                    | name a command:
          api-keys create             | missing: --name=NAME
          """)
  void wrongUsageIsReportedInOneLineWithExitCode2(String call, String message) {
    Called called = Called.alone(call.split(" "));
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.out()).isEmpty();
    assertThat(called.err()).startsWith("palmares: ").contains(message, "--help'.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          close --deu                   | 没有选项“--deu”（是否指“--due”？）
          exclude ann --level hidden    | 缺少：--reason=TEXT
          close invites                 | 请指定 BOARD PERIOD或--due
          outbox --failed               | --failed、--count、--after 只能与 --attempts 同用
          exclude --file no.csv --reason y | 无法读取 no.csv
          import no.ndjson              | 没有导入任何内容：no.ndjson：文件不存在
          boards new coin               | 没有示例“coin”
          runs --url nowhere            | 服务器地址的形式如
          runs --count many             | --count 为“many”，但必须为整数
          runs --count 1 --count 2      | --count 只能指定一次
          ledger                        | 请指定命令：
          """)
  void errorsAreInTheLanguageOfTheShell(String call, String message) {
    Called called = Called.in("zh_CN", call.split(" "));
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).startsWith("palmares: " + message);
  }

  @Test
  void aLanguageMayBeNamedApartFromTheLocale() {
    var shell =
        new CommonOptions(Map.of("PALMARES_LANGUAGE", "zh_CN.UTF-8", "LC_ALL", "C.UTF-8")::get);
    assertThat(shell.language()).isEqualTo(Locale.CHINESE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "server",
        "import pom.xml",
        "close --due",
        "report b --all",
        "runs",
        "verify",
        "exclude ann --level hidden --reason law",
        "exclusions",
        "boards",
        "api-keys list"
      })
  void allErrorsInBoardFilesAreReportedBeforeTheStart(String call) throws IOException {
    Files.writeString(folder.resolve("one.yml"), "title: 3\nperiod: day\n");
    Files.writeString(folder.resolve("two.yml"), "title: Two\nperiod: fortnight\n");
    Called called = Called.alone((call + " --jobs " + folder).split(" "));
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err())
        .contains("one.yml:1: title", "one.yml:1: actions", "two.yml:2: period");
  }

  @Test
  void optionsAreAllowedBeforeTheCommand() {
    Called called = Called.alone("--jobs", folder.resolve("none").toString(), "boards");
    assertThat(called.err()).contains(folder.resolve("none") + ": does not exist");
  }

  @Test
  void importChecksEveryFileBeforeTheStart() {
    Called called = Called.alone("import", "pom.xml", folder.toString(), "none.ndjson");
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err())
        .contains(folder + ": it is a folder", "none.ndjson: the file does not exist");
  }

  @Test
  void importReadsStandardInputOnce() {
    assertThat(Called.alone("import", "-", "-").err()).contains("- can be named once only");
  }

  @Test
  void boardsShowsTheNextPeriodsAndTheBits() {
    Called called = Called.alone("boards", "invites", "--jobs", "jobs");
    assertThat(called.exitCode()).isZero();
    assertThat(called.out())
        .contains("invites: ", "bits of points = 53")
        .contains("2026-W47", "2026-W48", "2026-W49", "2026-W50", "2026-W51");
  }

  @Test
  void boardsWithoutAnIdShowsAll() {
    assertThat(Called.alone("boards", "--jobs", "jobs").out())
        .contains("invites: ", "coins: ", "experience: ");
  }

  @Test
  void anUnknownBoardIsReportedWithASuggestion() {
    Called called = Called.alone("boards", "invite", "--jobs", "jobs");
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains("there is no board 'invite'; did you mean 'invites'?");
  }

  /** The bytes of an accent, where Java reads ASCII. */
  @Test
  void anArgumentThatJavaCouldNotReadIsRefused() {
    for (String command : List.of("exclude", "import", "boards")) {
      Called called = Called.alone(command, "jos\uFFFD\uFFFD", "--jobs", "jobs");
      assertThat(called.exitCode()).isEqualTo(2);
      assertThat(called.err())
          .contains("the argument 'jos\uFFFD\uFFFD' has characters that cannot be read")
          .contains("LC_ALL=C.UTF-8");
    }
  }

  /** A server without boards shows the first steps; other commands have nothing to do. */
  @Test
  void aCommandWithoutABoardFolderSaysWhatToDo() throws IOException, InterruptedException {
    assertThat(refused("runs")).contains("jobs: does not exist", "palmares boards new invites");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aServerWhoseConfiguredFolderIsMissingRefusesToStart()
      throws IOException, InterruptedException {
    assertThat(refused("server", "--jobs", "nowhere")).contains("nowhere: does not exist");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void messagesHaveTheSameDigitsOnEveryMachine() throws IOException, InterruptedException {
    Files.writeString(folder.resolve("coins.yml"), "period: day\nmax-points: none");
    assertThat(refused("server", "--jobs", "."))
        .contains("coins.yml:2: max-points must be a whole number from 1 to 9007199254740991");
  }

  /** What a call, on a machine with Arabic digits, prints as bad usage. */
  private String refused(String... arguments) throws IOException, InterruptedException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Duser.language=ar",
                "-Duser.country=EG",
                "-cp",
                absolute(System.getProperty("java.class.path")),
                "palmares.Palmares"));
    command.addAll(List.of(arguments));
    var call = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    call.environment().keySet().removeIf(name -> name.startsWith("PALMARES_"));
    Process process = call.start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(printed).isEqualTo(2);
    return printed;
  }

  private static String absolute(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  @ParameterizedTest
  @ValueSource(strings = {"invites", "arena-silver", "time-trial", "commits-daily"})
  void aBoardCreatedFromASampleIsValid(String sample) {
    String jobs = folder.resolve("mine").toString();
    assertThat(Called.alone("boards", "new", sample, "--jobs", jobs).exitCode()).isZero();
    assertThat(folder.resolve("mine").resolve(sample + ".yml"))
        .content()
        .startsWith("# yaml-language-server: $schema=board.schema.json\n");
    assertThat(folder.resolve("mine/board.schema.json")).isRegularFile();
    Called checked = Called.alone("boards", "check", "--jobs", jobs);
    assertThat(checked.out()).contains("valid");
    assertThat(checked.exitCode()).isZero();
  }

  @Test
  void aBoardFileIsNeverReplacedByASample() throws IOException {
    Path mine = Files.writeString(folder.resolve("coins.yml"), "title: Mine");
    String jobs = folder.toString();
    Called called = Called.alone("boards", "new", "coins", "--jobs", jobs);
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains(mine + " exists: nothing was created");
    assertThat(mine).hasContent("title: Mine");
    assertThat(Called.alone("boards", "new", "coins", "--as", "gold", "--jobs", jobs).out())
        .contains("gold.yml");
    assertThat(Called.alone("boards", "new", "coin", "--jobs", jobs).err())
        .contains("there is no sample 'coin'; did you mean 'coins'?; the samples are: activity-");
    Called file = Called.alone("boards", "new", "quiz", "--jobs", mine.toString());
    assertThat(file.exitCode()).isEqualTo(2);
    assertThat(file.err()).contains(mine + " is a file, and the board files go into a folder");
  }

  @Test
  void checkEndsWith1AndNamesAllErrorsOfTheNamedFiles() throws IOException {
    Path good = Files.copy(Path.of("jobs", "quiz.yml"), folder.resolve("quiz.yml"));
    Path wrong = Files.writeString(folder.resolve("one.yml"), "title: 3\nperiod: day\n");
    Called called =
        Called.alone("boards", "check", good.toString(), wrong.toString(), "no.yml", "pom.xml");
    assertThat(called.exitCode()).isEqualTo(1);
    assertThat(called.err())
        .contains("one.yml:1: title", "no.yml: does not exist", "pom.xml: does not end in .yml");
    assertThat(Called.alone("boards", "check", good.toString()).exitCode()).isZero();
  }

  @Test
  void theSchemaIsTheOneThatTheBuildWrites() throws IOException {
    assertThat(Called.alone("boards", "--schema").out())
        .isEqualToNormalizingNewlines(Files.readString(Path.of("target", "board.schema.json")));
  }

  static Stream<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.list(Path.of("src", "docs"))) {
      List<Path> pages = docs.filter(path -> path.toString().endsWith(".md")).toList();
      return Stream.concat(
          Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md").map(Path::of), pages.stream());
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void documentsNameOnlyExistingCommandsAndOptions(Path document) throws IOException {
    CALL.matcher(Files.readString(document))
        .results()
        .map(call -> call.group(1) == null ? call.group(2) : call.group(1))
        .forEach(UsageTest::requireKnown);
  }

  @Test
  void helpGivesExamplesOfExistingCommandsAndOptions() {
    long examples =
        COMMANDS.stream()
            .flatMap(command -> EXAMPLE.matcher(help(command)).results())
            .map(call -> call.group(1))
            .peek(UsageTest::requireKnown)
            .count();
    assertThat(examples).isGreaterThan(COMMANDS.size());
  }

  private static void requireKnown(String call) {
    String command = call.split("[\\s,]")[0];
    assertThat(COMMANDS).as(call).contains(command);
    String help = help(command);
    assertThat(OPTION.matcher(call).results().map(MatchResult::group))
        .as(call)
        .allSatisfy(
            option -> assertThat(help).containsPattern("(?<![\\w-])" + option + "(?![\\w-])"));
  }

  /** The help of a command and of its subcommands. */
  private static String help(String command) {
    return HELPS.computeIfAbsent(command, each -> String.join("", withSubcommands(each).values()));
  }

  /** A command and its subcommands, each with its help. */
  private static Map<String, String> withSubcommands(String... command) {
    var all = new LinkedHashMap<String, String>();
    String help =
        Called.alone(Stream.concat(Stream.of(command), Stream.of("--help")).toArray(String[]::new))
            .out();
    all.put(String.join(" ", command), help);
    int subcommands = help.indexOf("\nCommands:\n");
    if (subcommands >= 0) {
      SUBCOMMAND
          .matcher(help.substring(subcommands))
          .results()
          .map(found -> Stream.concat(Stream.of(command), Stream.of(found.group(1))))
          .forEach(each -> all.putAll(withSubcommands(each.toArray(String[]::new))));
    }
    return all;
  }
}
