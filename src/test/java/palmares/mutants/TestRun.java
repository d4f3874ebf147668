package palmares.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.DiscoveryFilter;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.OutputDirectoryCreator;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.store.Namespace;
import org.junit.platform.engine.support.store.NamespacedHierarchicalStore;

/** Runs tests in this process, up to the first that fails. */
final class TestRun implements EngineExecutionListener {
  private static final String TIMEOUT = "60 s";

  private final CancellationToken cancellation = CancellationToken.create();
  private final List<Passed> passed = new ArrayList<>();
  private @Nullable Failure failure;
  private long began;

  /** The first test that failed. */
  record Failure(String test, Throwable cause) {}

  /**
   * A test that passed.
   *
   * @param id of the test in JUnit, by which it runs again
   * @param statements what it has sent to PostgreSQL
   * @param scripts what it has run in Redis
   */
  record Passed(String id, long nanos, Set<String> statements, Set<String> scripts) {}

  /** What came of a run: all tests that passed, or those before the failure. */
  record Outcome(List<Passed> passed, Optional<Failure> failure) {}

  private TestRun() {}

  /**
   * Runs tests.
   *
   * @param test the full name of a class, {@code CLASS#METHOD}, or the id of a test
   * @throws AssertionError if there are none
   */
  static Outcome of(String test) {
    var run = new TestRun();
    var engine = new JupiterTestEngine();
    TestDescriptor root =
        engine.discover(new Request(selector(test)), UniqueId.forEngine(engine.getId()));
    try (var session = new NamespacedHierarchicalStore<Namespace>(null);
        var store = session.newChild()) {
      engine.execute(
          ExecutionRequest.create(
              root, run, new Parameters(), new Output(), store, run.cancellation));
    }
    if (run.passed.isEmpty() && run.failure == null) {
      throw new AssertionError("no test of " + test + " was run");
    }
    return new Outcome(run.passed, Optional.ofNullable(run.failure));
  }

  private static DiscoverySelector selector(String test) {
    if (test.startsWith("[")) {
      return DiscoverySelectors.selectUniqueId(test);
    }
    return test.contains("#")
        ? DiscoverySelectors.selectMethod(test)
        : DiscoverySelectors.selectClass(test);
  }

  @Override
  public void executionStarted(TestDescriptor test) {
    if (test.isTest()) {
      Planting.INSTANCE.forget();
      began = System.nanoTime();
    }
  }

  @Override
  public void executionFinished(TestDescriptor test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.FAILED && failure == null) {
      failure =
          new Failure(
              test.getParent().map(parent -> parent.getDisplayName() + " ").orElse("")
                  + test.getDisplayName(),
              result.getThrowable().orElseGet(AssertionError::new));
      cancellation.cancel();
    } else if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
      passed.add(
          new Passed(
              test.getUniqueId().toString(),
              System.nanoTime() - began,
              Planting.INSTANCE.statements(),
              Planting.INSTANCE.scripts()));
    }
  }

  private record Request(DiscoverySelector selector) implements EngineDiscoveryRequest {
    @Override
    public <T extends DiscoverySelector> List<T> getSelectorsByType(Class<T> type) {
      return Stream.of(selector).filter(type::isInstance).map(type::cast).toList();
    }

    @Override
    public <T extends DiscoveryFilter<?>> List<T> getFiltersByType(Class<T> type) {
      return List.of();
    }

    @Override
    public ConfigurationParameters getConfigurationParameters() {
      return new Parameters();
    }

    @Override
    public OutputDirectoryCreator getOutputDirectoryCreator() {
      return new Output();
    }
  }

  private record Parameters() implements ConfigurationParameters {
    private static final Map<String, String> VALUES =
        Map.of("junit.jupiter.execution.timeout.testable.method.default", TIMEOUT);

    @Override
    public Optional<String> get(String key) {
      return Optional.ofNullable(VALUES.get(key));
    }

    @Override
    public Optional<Boolean> getBoolean(String key) {
      return get(key).map(Boolean::valueOf);
    }

    @Override
    public Set<String> keySet() {
      return VALUES.keySet();
    }
  }

  /** Tests write no files for reports. */
  private record Output() implements OutputDirectoryCreator {
    @Override
    public Path getRootDirectory() {
      return Path.of("target");
    }

    @Override
    public Path createOutputDirectory(TestDescriptor test) throws IOException {
      return Files.createDirectories(Path.of("target", "test-output"));
    }
  }
}
