package palmares.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.MessageFormat;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import palmares.api.roles.Role;
import palmares.live.member.QualifyingInvites;
import palmares.operations.batches.Batch;
import palmares.operations.batches.Batches.BoardSum;
import palmares.operations.inbox.InboxItem;
import palmares.operations.lateevents.LateEvent;
import palmares.operations.report.Statements;
import palmares.operations.tasks.Task;
import palmares.operations.withheld.WithheldLines;
import palmares.period.PeriodState;
import palmares.period.auditlog.AuditDetails;
import palmares.period.exclusion.ExclusionLevel;
import palmares.platform.Problem;
import palmares.platform.text.Choice;
import palmares.rules.payout.OverpaymentPolicy;
import palmares.settlement.outcome.PaymentSums.Sum;
import palmares.settlement.outcome.Revision;
import palmares.settlement.reward.BudgetCheck.BudgetUse;
import palmares.testing.Contract;
import tools.jackson.databind.JsonNode;

/**
 * Templates of pages have each message that they show, in each language, and there is no other. No
 * condition is lost to the order in which attributes are processed.
 */
class MessagesTest {
  private static final Path TEMPLATES = Path.of("src", "main", "resources", "palmares", "console");
  private static final Path SENTENCES =
      Path.of("src", "main", "resources", "palmares", "platform", "text", "sentences.properties");

  /** The kinds of words that pages show, too. */
  private static final Set<String> WORDS = Set.of("column", "field", "state", "word");

  /** Fields of facts that no list has; mails name them as lists would. */
  private static final Set<String> OF_FACTS =
      Set.of(
          "auditLink",
          "auditLinkHash",
          "base",
          "byPoints",
          "byRank",
          "events",
          "findings",
          "formerEndsAt",
          "formerRank",
          "link",
          "linkHash",
          "manifest",
          "moved",
          "reasons",
          "sums",
          "threshold",
          "what");

  /** Details of audit entries, and parts of these, that mean something else than columns do. */
  private static final Set<String> OTHER_DETAILS =
      Set.of("before", "budgets.period", "credits", "findings", "first", "last", "rules", "since");

  private static final Path CODE = Path.of("src", "main", "java", "palmares", "console");
  private static final Path LISTS = Path.of("src", "main", "java", "palmares", "api", "ops");
  private static final Path CLOSING =
      Path.of("src", "main", "java", "palmares", "settlement", "closing");
  private static final Path SCHEMA = Path.of("db", "migration");

  private static final Pattern NAMED = Pattern.compile("#\\{([\\w.-]+)");
  private static final Pattern COMPUTED =
      Pattern.compile("(?:#\\{\\$\\{|msgOrNull\\()'([\\w-]+)\\.'");
  private static final Pattern VERB =
      Pattern.compile("(?:new VerbForm|verb|ofPeriod|about)\\(\\s*\"([\\w-]+)\"");
  private static final Pattern FIELD =
      Pattern.compile(
          "\\s\\.(?:text|required|area|check|select|rolesOf|hidden|preset|upload|confirm|day)"
              + "\\(\\s*\"(\\w+)\"");
  private static final Pattern OPTIONS =
      Pattern.compile("\\.select\\(\\s*\"(\\w+)\",\\s*\\w+,((?:\\s*\"[\\w-]+\",?)+)\\)");
  private static final Pattern FAME = Pattern.compile("fame\\.(\\w+)=");
  private static final Pattern CAPTION = Pattern.compile("\\bcaption\\(\\s*\"([\\w-]+)\"");
  private static final Pattern IN_CODE = Pattern.compile("\\btext\\(\\s*\"([\\w.-]+)\", locale");
  private static final Pattern COLUMN =
      Pattern.compile("\\.(?:text|wrapped|said|number|summed|time)\\(\\s*\"(\\w+)\",");
  private static final Pattern RUN_OUTCOMES =
      Pattern.compile("\"a run has a known outcome\" check \\(\\s*outcome in \\(([^)]+)\\)");
  private static final Pattern REVISION_STATUSES =
      Pattern.compile("case((?:(?!\\bcase\\b)[^;])*?)end as status,");
  private static final Pattern RESULT = Pattern.compile("(?:then|else) '([a-z ]+)'");
  private static final Pattern PURPOSES =
      Pattern.compile("\\(array\\[([^\\]]+)\\]\\)\\[purpose\\]");
  private static final Pattern QUOTED = Pattern.compile("'([a-z -]+)'");
  private static final Pattern TAG =
      Pattern.compile("<[\\w:]+(?:\\s+[\\w:-]+(?:=\"[^\"]*\")?)*\\s*>");
  private static final Pattern FIRST_IN_TABLE =
      Pattern.compile("<table\\b(?:[^\">]|\"[^\"]*\")*>\\s*<(\\w+)");
  private static final Pattern CONDITION = Pattern.compile("\\sth:(?:if|unless|case)=");
  private static final Pattern PLURAL =
      Pattern.compile(
          "\\b1 (?:more |posted )*(?:files|lines|members|others|periods|places|points|runs|times"
              + "|things)\\b");
  private static final Path MANIFEST_FIELDS =
      Path.of("src", "main", "resources", "palmares", "settlement", "manifest", "fields.sql");
  private static final Pattern MANIFEST_FIELD = Pattern.compile("\\('([a-z-]+)', ");
  private static final Pattern STEP = Pattern.compile("new BatchStep\\(\"(\\w+)\"");
  private static final Pattern UNIT = Pattern.compile("expect\\(\\s*\"(\\w+)\"");

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String all(Path folder, String suffix) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(suffix))
          .map(MessagesTest::read)
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Map<String, String> messages(String file) {
    return messages(TEMPLATES.resolve(file));
  }

  /** The texts of pages, with the words that sentences have, too. */
  private static Map<String, String> texts() {
    Map<String, String> texts = messages(SENTENCES);
    texts.keySet().removeIf(key -> !WORDS.contains(key.substring(0, key.indexOf('.'))));
    texts.putAll(messages("messages.properties"));
    return texts;
  }

  private static Map<String, String> messages(Path file) {
    var messages = new Properties();
    try (Reader in = Files.newBufferedReader(file, UTF_8)) {
      messages.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var sorted = new TreeMap<String, String>();
    messages.forEach((key, text) -> sorted.put((String) key, (String) text));
    return sorted;
  }

  private static Set<String> both(Set<String> some, Set<String> others) {
    return Stream.of(some, others).flatMap(Set::stream).collect(Collectors.toSet());
  }

  private static Set<String> choices(Choice... values) {
    return Arrays.stream(values).map(Choice::word).collect(Collectors.toSet());
  }

  private static Stream<String> words(Enum<?>[] values) {
    return Arrays.stream(values).map(value -> value.name().toLowerCase(Locale.ROOT));
  }

  /** What follows each prefix that a template computes a key from, with or without a message. */
  private static Map<String, Set<String>> computed() {
    String code = all(CODE, ".java");
    String templates = all(TEMPLATES, ".html");
    var keys = new TreeMap<String, Set<String>>();
    keys.put("nav", menu());
    keys.put("verb", with(found(VERB, code), "title", "text", "button"));
    Stream<String> batches = Stream.of(Batch.Verb.values()).map(Batch.Verb::ofTask);
    keys.merge("verb", with(batches.collect(Collectors.toSet()), "title"), MessagesTest::both);
    keys.put("field", found(FIELD, code));
    keys.put("hint", with(found(FIELD, code), "", "day"));
    keys.put("large", found(VERB, code));
    keys.put("option", options(code));
    keys.put("button", choices(Stake.Kind.values()));
    keys.merge("button", with(VerbPages.CLOSINGS, "pays", "held"), MessagesTest::both);
    // An estimate of what it pays.
    keys.merge("button", Set.of("about"), MessagesTest::both);
    keys.put("prize", Set.of("rank", "top", "points", "fewest"));
    keys.put("owed", choices(OverpaymentPolicy.values()));
    keys.put("decided", choices(Revision.Verdict.values()));
    keys.put("chart", with(found(CAPTION, code), "", "text"));
    keys.put("inbox", choices(InboxItem.Kind.values()));
    keys.put("guide", choices(InboxItem.Kind.values()));
    keys.put("state", states());
    keys.put("word", words());
    keys.put("role", words(Role.values()).collect(Collectors.toSet()));
    keys.put("period", Set.copyOf(PeriodTabs.TABS));
    keys.put("audit", Set.of("list", "revision"));
    keys.put(
        "title", Arrays.stream(Problem.values()).map(Problem::word).collect(Collectors.toSet()));
    var fields = new TreeSet<>(found(MANIFEST_FIELD, read(MANIFEST_FIELDS)));
    fields.add("sha-256");
    keys.put("manifest", fields);
    keys.put("fame", found(FAME, read(TEMPLATES.resolve("messages.properties"))));
    var columns = new TreeSet<>(found(COLUMN, all(LISTS, ".java")));
    for (JsonNode path : Contract.DOCUMENT.path("paths")) {
      JsonNode rows = path.at("/get/responses/200/content/application~1json/schema/items");
      columns.addAll(Contract.resolved(rows).path("properties").propertyNames());
    }
    columns.addAll(
        Contract.DOCUMENT.at("/components/schemas/ReplayRow/properties").propertyNames());
    // The heading of the id of a late event.
    columns.add("event");
    columns.addAll(OF_FACTS);
    keys.put("column", columns);
    var details = missing(AuditDetails.NAMES, columns);
    details.addAll(OTHER_DETAILS);
    parts(BudgetUse.class)
        .filter(part -> !columns.contains(part))
        .forEach(part -> details.add("budgets." + part));
    assertThat(columns)
        .containsAll(Stream.concat(parts(Sum.class), parts(BoardSum.class)).toList());
    keys.put("detail", details);
    assertThat(keys.keySet()).containsAll(found(COMPUTED, templates));
    return keys;
  }

  /** The names of the parts of a value that a detail of an audit entry may have. */
  private static Stream<String> parts(Class<? extends Record> value) {
    return Stream.of(value.getRecordComponents()).map(RecordComponent::getName);
  }

  private static Set<String> menu() {
    return new Show(Locale.ENGLISH, java.time.Instant.EPOCH)
        .menu().stream().map(Show.Item::word).collect(Collectors.toSet());
  }

  private static Set<String> states() {
    return Stream.of(
            PeriodState.shownWords().stream(),
            Arrays.stream(ExclusionLevel.values()).map(ExclusionLevel::word),
            words(Task.State.values()),
            words(Batch.State.values()),
            words(Revision.Verdict.values()),
            words(LateEvent.Verdict.values()),
            words(WithheldLines.State.values()),
            words(QualifyingInvites.State.values()),
            words(Statements.Received.values()),
            quoted(QUOTED, RUN_OUTCOMES, "V3__periods.sql"),
            quoted(RESULT, REVISION_STATUSES, "R__views.sql"),
            Stream.of("live", "parked", "applied", "lifted-since", "added-since", "without events"))
        .flatMap(words -> words)
        .map(word -> word.replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  /** The words in the one place of a migration that a pattern finds. */
  private static Stream<String> quoted(Pattern word, Pattern place, String migration) {
    Set<String> places = found(place, read(SCHEMA.resolve(migration)));
    assertThat(places).as(migration).hasSize(1);
    return found(word, places.iterator().next()).stream();
  }

  private static Set<String> words() {
    return Stream.of(
            found(STEP, all(CLOSING, "ClosingJob.java")).stream(),
            found(UNIT, all(CLOSING, ".java")).stream(),
            quoted(QUOTED, PURPOSES, "R__views.sql"),
            Stream.of("house", "member", "debt"),
            Stream.of("schedule", "close", "close-due", "restart", "approve"))
        .flatMap(words -> words)
        .collect(Collectors.toSet());
  }

  private static Set<String> with(Set<String> words, String... parts) {
    return words.stream()
        .flatMap(
            word -> Arrays.stream(parts).map(part -> part.isEmpty() ? word : word + "." + part))
        .collect(Collectors.toSet());
  }

  private static Set<String> options(String code) {
    return OPTIONS
        .matcher(code)
        .results()
        .flatMap(
            (MatchResult match) ->
                found(Pattern.compile("\"([\\w-]+)\""), match.group(2)).stream()
                    .map(option -> match.group(1) + "." + option))
        .collect(Collectors.toSet());
  }

  /** Keys that a page needs; hints, advice on large forms, options and roles may do without. */
  private static Set<String> needed() {
    Set<String> needed = found(NAMED, all(TEMPLATES, ".html"));
    needed.addAll(found(IN_CODE, all(CODE, ".java")));
    computed()
        .forEach(
            (prefix, keys) -> {
              if (!Set.of("hint", "large", "option", "role").contains(prefix)) {
                keys.forEach(key -> needed.add(prefix + "." + key));
              }
            });
    return needed;
  }

  private static Set<String> missing(Set<String> wanted, Set<String> present) {
    var missing = new TreeSet<>(wanted);
    missing.removeAll(present);
    return missing;
  }

  @Test
  void everyTableHasACaption() {
    assertThat(found(FIRST_IN_TABLE, all(TEMPLATES, ".html"))).containsExactly("caption");
  }

  @Test
  void everyMessageThatAPageShowsHasAText() {
    assertThat(missing(needed(), texts().keySet())).isEmpty();
  }

  @Test
  void everyTextIsShownSomewhere() {
    Set<String> known = needed();
    computed().forEach((prefix, keys) -> keys.forEach(key -> known.add(prefix + "." + key)));
    assertThat(missing(texts().keySet(), known)).isEmpty();
  }

  @Test
  void everyLanguageHasTheSameMessagesWithTheSameArguments() {
    Map<String, String> english = messages("messages.properties");
    for (String file : translations()) {
      Map<String, String> translated = messages(file);
      assertThat(missing(english.keySet(), translated.keySet())).as(file).isEmpty();
      assertThat(missing(translated.keySet(), english.keySet())).as(file).isEmpty();
      assertThat(english)
          .allSatisfy(
              (key, text) ->
                  assertThat(arguments(requireNonNull(translated.get(key))))
                      .as(key)
                      .isEqualTo(arguments(text)));
    }
  }

  /** One public member has another message, and a tie is of two or more. */
  @Test
  void everyCountOfOneIsInTheSingular() {
    Map<String, String> english = messages("messages.properties");
    english.keySet().removeAll(Set.of("public.members"));
    assertThat(english)
        .allSatisfy(
            (key, text) ->
                assertThat(MessageFormat.format(text, 1, 1, 1, 1, 1))
                    .as(key)
                    .doesNotContainPattern(PLURAL));
  }

  @Test
  void rulesAreInWordsInEveryLanguage() {
    Path rules = Path.of("src", "main", "resources", "palmares", "rules", "boardfiles");
    Map<String, String> english = messages(rules.resolve("rules.properties"));
    Map<String, String> chinese = messages(rules.resolve("rules_zh.properties"));
    assertThat(chinese.keySet()).isEqualTo(english.keySet());
    assertThat(english)
        .allSatisfy(
            (key, text) ->
                assertThat(arguments(requireNonNull(chinese.get(key))))
                    .as(key)
                    .isEqualTo(arguments(text)));
  }

  /** Thymeleaf replaces a tag before it looks at a condition on the same tag. */
  @Test
  void noTagIsReplacedUnderACondition() {
    assertThat(TAG.matcher(all(TEMPLATES, ".html")).results().map(MatchResult::group))
        .isNotEmpty()
        .noneMatch(tag -> tag.contains("th:replace=") && CONDITION.matcher(tag).find());
  }

  private static List<String> translations() {
    try (Stream<Path> files = Files.list(TEMPLATES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("messages_"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int arguments(String text) {
    return new MessageFormat(text).getFormatsByArgumentIndex().length;
  }
}
