package palmares.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import palmares.Palmares;
import palmares.api.identity.LocalToken;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.Launcher;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.SpringLauncher;
import palmares.cli.terminal.Terminal;
import palmares.platform.time.SettableClock;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.boardfiles.Catalogue;
import palmares.testing.ContractFilter;
import palmares.testing.OwnDatabase;

/**
 * The application on the tests' servers, but in its own database, for commands that act on all
 * periods. Runs from one command to the next, with a clock that tests move.
 */
final class OwnApplication implements Launcher, AutoCloseable {
  static final Instant START = Instant.parse("2026-03-10T12:00:00Z");

  private final SettableClock clock = new SettableClock(START);
  private final Path jobs;
  private final Path archive;
  private final ContractFilter contract = new ContractFilter();
  private final Map<String, String> properties = new LinkedHashMap<>();

  /** Each has another name, as servers do. */
  private final AtomicInteger started = new AtomicInteger();

  private @Nullable RunningApplication running;

  /**
   * @param tests the context of the test, on the shared servers
   */
  OwnApplication(ApplicationContext tests, Path jobs, Path archive) {
    this.jobs = jobs;
    this.archive = archive;
    properties.put("palmares.archive.folder", archive.toString());
    properties.put("palmares.anchors.folder", "target/anchors/cli");
    properties.put("management.server.port", "0");
    properties.putAll(OwnDatabase.create(tests));
  }

  /** Sets a property of what is started from now on. */
  void set(String property, String value) {
    properties.put(property, value);
  }

  /** The folder of its archives. */
  Path archive() {
    return archive;
  }

  /** Starts the application for the first command; the others share it. */
  @Override
  public RunningApplication start(LaunchOptions launch) {
    RunningApplication lasting = running == null ? fresh(serving(launch)) : running;
    running = lasting;
    return new RunningApplication() {
      @Override
      public <T> T get(Class<T> type) {
        return lasting.get(type);
      }

      @Override
      public void close() {}
    };
  }

  /**
   * Starts the application as a server, which the commands then share.
   *
   * @return its address
   */
  String serve() {
    LaunchOptions launch =
        serving(LaunchOptions.of("server").with(Catalogue.class, BoardFiles.readFrom(jobs)));
    for (var property : properties.entrySet()) {
      launch = launch.with(property.getKey(), property.getValue());
    }
    running = fresh(launch);
    return "http://127.0.0.1:" + get(Environment.class).getProperty("local.server.port");
  }

  private static LaunchOptions serving(LaunchOptions launch) {
    return launch
        .with(LaunchOptions.Part.WEB)
        .with(LocalToken.class, new LocalToken())
        .with("server.port", "0");
  }

  Called call(String... arguments) {
    return callWith("", arguments);
  }

  /** As {@link #call}, by another user of the shell. */
  Called callAs(String user, String... arguments) {
    var launcher =
        new Launcher() {
          @Override
          public RunningApplication start(LaunchOptions launch) {
            return OwnApplication.this.start(launch);
          }

          @Override
          public String user() {
            return user;
          }
        };
    return with(launcher, "", complete(jobs, arguments));
  }

  Called callWith(String stdin, String... arguments) {
    return with(this, stdin, complete(jobs, arguments));
  }

  /** The server runs already, though the command does not know it. */
  private Called with(Launcher launcher, String stdin, String... arguments) {
    Called called = Called.with(launcher, stdin, arguments);
    contract.verify();
    return new Called(
        called.exitCode(),
        called.out(),
        called.err().replaceFirst("^no server runs in .*: starting one for this command\n", ""));
  }

  /** As {@link #call}, in a shell of a language, such as {@code zh_CN}. */
  Called callIn(String language, String... arguments) {
    return Called.in(language, this, complete(jobs, arguments));
  }

  /** As {@link #call}, but with other board files. */
  Called callUnder(Path otherJobs, String... arguments) {
    return with(this, "", complete(otherJobs, arguments));
  }

  /** As {@link #call}, but starts and stops the application as a process does. */
  Called callAlone(String... arguments) {
    Called called = Called.with(this::fresh, "", complete(jobs, arguments));
    contract.verify();
    return called;
  }

  /** As {@link #callAlone}, for a command that runs on while its results are read. */
  int callInto(PrintStream out, String... arguments) {
    var terminal = new Terminal(InputStream.nullInputStream(), out, System.err, false, false);
    return Cli.run(terminal, this::fresh, clock, complete(jobs, arguments));
  }

  private RunningApplication fresh(LaunchOptions launch) {
    return new SpringLauncher(Palmares.class)
        .start(
            launch
                .with(Clock.class, clock)
                .with(ContractFilter.class, contract)
                .with("palmares.node", "own-" + started.incrementAndGet()));
  }

  private String[] complete(Path jobs, String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.add("--jobs");
    all.add(jobs.toString());
    properties.forEach(
        (key, value) -> {
          if (Stream.of(arguments).noneMatch(each -> each.startsWith(key + "="))) {
            all.add("-D");
            all.add(key + "=" + value);
          }
        });
    return all.toArray(String[]::new);
  }

  <T> T get(Class<T> type) {
    return Objects.requireNonNull(running).get(type);
  }

  void advance(Duration duration) {
    clock.advance(duration);
  }

  @Override
  public void close() {
    if (running != null) {
      running.close();
    }
  }
}
