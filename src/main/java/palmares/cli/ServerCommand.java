package palmares.cli;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.env.Environment;
import palmares.api.identity.People;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.LaunchOptions.Part;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.UserError;
import palmares.period.exclusion.NamedLists;
import palmares.platform.embedded.EmbeddedServers;
import palmares.platform.infra.WorkPermit;
import palmares.platform.redis.RedisAddress;
import palmares.platform.text.Choice;
import palmares.platform.time.SettableClock;
import palmares.rules.boardfiles.Catalogue;
import palmares.settlement.closing.Sweep;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a server until it is stopped. */
@Command(
    name = "server",
    description = {
      "Takes events and closes periods until it is stopped (Ctrl-C, SIGTERM).",
      "Several may run on the same PostgreSQL and Redis; only one owns the folder of embedded"
          + " servers."
    },
    exitCodeList = {
      "1:it did not start, for example because a port is in use",
      "2:bad usage, a wrong setting, or a wrong board file"
    },
    footer = {
      "  palmares server --port 8080 --data /var/lib/palmares",
      "  palmares server --clock 2026-11-20T23:58:00+08:00"
    })
final class ServerCommand implements Callable<Integer> {
  private static final Path DEFAULT_SANDBOX = Path.of("data", "sandbox");

  private final Session session;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The port of the HTTP API (default: 8080).")
  private @Nullable Integer port;

  @Option(
      names = "--roles",
      split = ",",
      paramLabel = "ROLES",
      description =
          "What this process runs: writer (the HTTP API), scheduler (closes periods), or both"
              + " (default: palmares.roles or PALMARES_ROLES, else writer,scheduler).")
  private @Nullable Set<Role> named;

  @Option(
      names = "--clock",
      paramLabel = "TIME",
      description =
          "Starts a sandbox whose clock begins at this time, to watch a night:"
              + " 2026-11-20T23:58:00+08:00. Uses embedded servers in a folder that is emptied at"
              + " each such start (default: ./data/sandbox), and delivers nothing to webhooks.")
  private @Nullable String clock;

  /** A part of the work of a server. */
  enum Role implements Choice {
    WRITER,
    SCHEDULER
  }

  ServerCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Set<Role> roles =
        named != null
            ? named
            : session
                .setting("palmares.roles", "PALMARES_ROLES")
                .map(ServerCommand::roles)
                .orElse(EnumSet.allOf(Role.class));
    Instant time = Arguments.time("--clock", clock);
    if (time == null) {
      session.data().ifPresent(ServerCommand::requireNoSandbox);
    }
    Sandbox sandbox =
        time == null
            ? null
            : new Sandbox(session.scratch("sandbox", DEFAULT_SANDBOX), new SettableClock(time));
    try (RunningApplication server = start(launch(roles, sandbox))) {
      if (roles.contains(Role.SCHEDULER)) {
        sweep(server);
      }
      if (sandbox != null && time != null) {
        sandbox.begin();
        session.note(new CommandSentences.Sandbox(time, sandbox.folder().toString()));
      }
      printAddresses(server);
      server
          .get(NamedLists.class)
          .missing(server.get(Catalogue.class).all())
          .forEach(missing -> BoardsCommand.note(missing, session));
      if (roles.contains(Role.WRITER)) {
        printFirstPassword(server);
      }
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  /** If this server must not work yet, its log and health check say so, and later sweeps follow. */
  private static void sweep(RunningApplication server) {
    if (server.get(WorkPermit.class).isGranted()) {
      server.get(Sweep.class).run();
    }
  }

  /** Redis would take events by the machine's clock, which the sandbox's periods do not go by. */
  private static void requireNoSandbox(Path data) {
    if (EmbeddedServers.isSandbox(data)) {
      throw UserError.badInput(new CommandSentences.IsSandbox(data.toString(), "--clock"));
    }
  }

  private static Set<Role> roles(String setting) {
    var roles = EnumSet.noneOf(Role.class);
    for (String name : setting.split(",")) {
      roles.add(
          Choice.find(Role.values(), name.strip())
              .orElseThrow(() -> UserError.badInput(new CommandSentences.NoRole(name))));
    }
    return roles;
  }

  private LaunchOptions launch(Set<Role> roles, @Nullable Sandbox sandbox) {
    LaunchOptions launch =
        LaunchOptions.of("server")
            .with(Part.LOG)
            .with(Part.MANAGEMENT)
            .with("management.endpoint.health.group.readiness.include", readiness(roles))
            .with("palmares.roles", roles.stream().map(Role::word).collect(Collectors.joining(",")))
            .with("logging.level.palmares.platform.infra", "warn");
    launch = roles.contains(Role.WRITER) ? launch.with(Part.WEB) : launch;
    launch = roles.contains(Role.SCHEDULER) ? launch.with(Part.SCHEDULER) : launch;
    launch = port == null ? launch : launch.with("server.port", port.toString());
    return sandbox == null ? launch : sandbox.of(launch);
  }

  /**
   * A writer takes events as long as Redis answers; a scheduler closes nothing without PostgreSQL.
   */
  private static String readiness(Set<Role> roles) {
    return "readinessState,work"
        + (roles.contains(Role.WRITER) ? ",redis" : "")
        + (roles.contains(Role.SCHEDULER) ? ",db" : "");
  }

  /** A folder that is emptied at each start, and a clock that is stopped until the server runs. */
  private record Sandbox(Path folder, SettableClock clock) {
    LaunchOptions of(LaunchOptions launch) {
      EmbeddedServers.shareClock(folder, clock);
      return launch
          .with(Clock.class, clock)
          .with("palmares.infra", "embedded")
          .with("palmares.data", folder.toString())
          // A receiver could not distinguish these facts from real ones.
          .with("palmares.outbox.background", "false");
    }

    /** Starts the clock, so that a slow start takes nothing of the time before a period ends. */
    void begin() {
      clock.run();
      EmbeddedServers.shareClock(folder, clock);
    }
  }

  private RunningApplication start(LaunchOptions launch) {
    try {
      return session.start(launch, session.boardsOfServer());
    } catch (UserError e) {
      throw portInUse(e);
    }
  }

  private static UserError portInUse(UserError userError) {
    for (Throwable cause = userError; cause != null; cause = cause.getCause()) {
      if (cause instanceof PortInUseException taken) {
        return UserError.failed(
            new CommandSentences.PortInUse(
                taken.getPort(), "--port", "-D management.server.port=N"),
            userError);
      }
    }
    return userError;
  }

  /** The host in a URL. */
  private static String host(String address) {
    return switch (address) {
      case "127.0.0.1", "::1" -> "localhost";
      case "" -> "0.0.0.0";
      default -> address.contains(":") ? "[" + address + "]" : address;
    };
  }

  /** Lets the first person in, once; if nobody reads it, a shell can reset the password. */
  private void printFirstPassword(RunningApplication server) {
    server
        .get(People.class)
        .addFirst()
        .ifPresent(
            password ->
                session.note(
                    new CommandSentences.FirstPassword(
                        People.FIRST_PERSON_NAME,
                        password,
                        "palmares people reset-password "
                            + People.FIRST_PERSON_NAME
                            + dataOption(server.get(Environment.class)))));
  }

  /** What a command needs to find the data of this server, unless it is in the usual folder. */
  private String dataOption(Environment environment) {
    String folder = environment.getProperty("palmares.data");
    return folder == null || (clock == null && session.data().isEmpty()) ? "" : " --data " + folder;
  }

  private void printAddresses(RunningApplication server) {
    Environment environment = server.get(Environment.class);
    String port = environment.getProperty("local.server.port");
    if (port == null || port.equals("-1")) {
      session.print(new CommandSentences.ClosesOnly());
    } else {
      String base =
          "http://%s:%s%s"
              .formatted(
                  host(environment.getProperty("server.address", "")),
                  port,
                  environment.getProperty("server.servlet.context-path", ""));
      session.print(new CommandSentences.Listens(base + "/api/v1"));
      session.print(new CommandSentences.Console(base + "/console"));
    }
    var postgres = server.get(JdbcConnectionDetails.class);
    session.print(
        new CommandSentences.KeepsData(
            postgres.getJdbcUrl().split("\\?", 2)[0], server.get(RedisAddress.class).toString()));
    session.print(
        new CommandSentences.Management(
            "http://%s:%s/actuator"
                .formatted(
                    host(environment.getProperty("management.server.address", "")),
                    environment.getProperty("local.management.port"))));
  }
}
