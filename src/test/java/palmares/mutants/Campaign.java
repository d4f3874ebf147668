package palmares.mutants;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import javax.sql.DataSource;
import palmares.mutants.TestRun.Failure;
import palmares.mutants.TestRun.Passed;

/**
 * Plants mutants one after the other in a running application, and runs the tests about them. Each
 * verdict is written to a file, so that a campaign that was stopped goes on after the last. Those
 * that survived are planted again, unless it is explained.
 */
final class Campaign implements AutoCloseable {
  enum Verdict {
    CAUGHT,
    /** Each test passed. */
    SURVIVED,
    /** No test ran the line. */
    UNREACHED,
    /** PostgreSQL or Redis refused the line: nobody would get so far as to run a test. */
    INVALID
  }

  /**
   * What became of a mutant.
   *
   * @param by the test that has caught it, or what was wrong with an invalid line
   */
  record Result(Mutant mutant, Verdict verdict, String by) {}

  private final Path journal;
  private final Map<String, String> explained;

  /** Set when the process ends: its servers do, and no verdict of that time counts. */
  private volatile boolean isEnding;

  private final Map<String, List<Passed>> passed = new LinkedHashMap<>();

  /**
   * @param journal the file of verdicts
   * @param explained why mutants survive, by their keys
   */
  Campaign(Path journal, Map<String, String> explained) {
    this.journal = journal;
    this.explained = explained;
    MutableContext.isOn = true;
    Runtime.getRuntime().addShutdownHook(new Thread(() -> isEnding = true));
  }

  @Override
  public void close() {
    MutableContext.isOn = false;
    Planting.INSTANCE.reset();
  }

  /**
   * Returns the verdicts on mutants.
   *
   * @param tests full names of classes, or {@code CLASS#METHOD}
   * @throws AssertionError if a test fails without any mutant
   */
  List<Result> run(List<Mutant> mutants, List<String> tests) {
    Map<String, String> known = known();
    List<Result> former =
        mutants.stream()
            .filter(mutant -> known.containsKey(mutant.key()))
            .map(mutant -> result(mutant, known.getOrDefault(mutant.key(), "")))
            .filter(result -> !Reliability.isOpen(result, explained))
            .toList();
    var results = new ArrayList<>(former);
    List<Mutant> decided = former.stream().map(Result::mutant).toList();
    mutants.stream()
        .filter(mutant -> !decided.contains(mutant))
        .forEach(mutant -> results.add(decide(mutant, tests)));
    return results;
  }

  /** Runs tests without any mutant, once. */
  private List<Passed> unchanged(String test) {
    return passed.computeIfAbsent(
        test,
        its -> {
          TestRun.Outcome outcome = TestRun.of(its);
          outcome
              .failure()
              .ifPresent(
                  failure -> {
                    throw new AssertionError(
                        failure.test() + " fails without any mutant", failure.cause());
                  });
          return outcome.passed();
        });
  }

  private Result decide(Mutant mutant, List<String> tests) {
    long began = System.nanoTime();
    Result result = mutant.isMigration() ? ofMigration(mutant, tests) : ofText(mutant, tests);
    long millis = (System.nanoTime() - began) / 1_000_000;
    write("%s\t%s\t%s\t%s ms\n".formatted(mutant.key(), result.verdict(), result.by(), millis));
    return result;
  }

  /**
   * Only the tests that reach the line are run, of those that have run before the quickest first.
   */
  private Result ofText(Mutant mutant, List<String> tests) {
    var parts = new ArrayList<List<String>>();
    parts.add(tests.stream().filter(passed::containsKey).toList());
    tests.stream().filter(test -> !passed.containsKey(test)).map(List::of).forEach(parts::add);
    boolean wasReached = false;
    for (List<String> part : parts) {
      List<String> reaching = reaching(mutant, part);
      Planting.INSTANCE.plant(mutant);
      try {
        Result result = test(mutant, reaching);
        wasReached |= Planting.INSTANCE.wasReached();
        if (result.verdict() != Verdict.SURVIVED && wasReached) {
          return result;
        }
      } finally {
        Planting.INSTANCE.reset();
      }
    }
    return new Result(mutant, wasReached ? Verdict.SURVIVED : Verdict.UNREACHED, "");
  }

  private List<String> reaching(Mutant mutant, List<String> tests) {
    return tests.stream()
        .flatMap(test -> unchanged(test).stream())
        .filter(reaches(mutant))
        .sorted(Comparator.comparing(Passed::nanos))
        .map(Passed::id)
        .toList();
  }

  private static Predicate<Passed> reaches(Mutant mutant) {
    if (mutant.isLua()) {
      String script = Area.read(mutant.file());
      return test -> test.scripts().stream().anyMatch(text -> text.contains(script));
    }
    var change = StatementChange.of(mutant);
    return test -> test.statements().stream().anyMatch(change::isIn);
  }

  private Result ofMigration(Mutant mutant, List<String> tests) {
    tests.forEach(this::unchanged);
    try {
      execute(mutant.statement(mutant.text()));
    } catch (SQLException e) {
      return new Result(mutant, Verdict.INVALID, oneLine(e));
    }
    try {
      return test(mutant, tests);
    } finally {
      try {
        execute(mutant.statement(Area.read(mutant.file())));
        execute("select enable_guards()"); // Triggers that were replaced are not enabled always.
      } catch (SQLException e) {
        throw new AssertionError("could not take back: " + mutant, e);
      }
    }
  }

  private static void execute(String sql) throws SQLException {
    DataSource database = Objects.requireNonNull(MutableContext.database);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Result test(Mutant mutant, List<String> tests) {
    for (String test : tests) {
      Optional<Failure> failure = TestRun.of(test).failure();
      if (failure.isPresent()) {
        return refusal(failure.get().cause())
            .map(refusal -> new Result(mutant, Verdict.INVALID, oneLine(refusal)))
            .orElse(new Result(mutant, Verdict.CAUGHT, failure.get().test()));
      }
    }
    return new Result(mutant, Verdict.SURVIVED, "");
  }

  private static Optional<Throwable> refusal(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException e && String.valueOf(e.getSQLState()).startsWith("42")
          || String.valueOf(cause.getMessage()).contains("Error compiling script")) {
        return Optional.of(cause);
      }
    }
    return Optional.empty();
  }

  private static String oneLine(Throwable refusal) {
    return String.valueOf(refusal.getMessage()).replaceAll("\\s+", " ");
  }

  private Map<String, String> known() {
    var known = new LinkedHashMap<String, String>();
    if (Files.exists(journal)) {
      for (String line : Mutant.lines(journal)) {
        int end = line.indexOf('\t');
        known.put(line.substring(0, end), line.substring(end + 1));
      }
    }
    return known;
  }

  private static Result result(Mutant mutant, String written) {
    String[] fields = written.split("\t", -1);
    return new Result(mutant, Verdict.valueOf(fields[0]), fields[1]);
  }

  private void write(String line) {
    if (isEnding) {
      return;
    }
    try {
      Files.createDirectories(journal.toAbsolutePath().getParent());
      Files.writeString(journal, line, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
