package palmares.cli.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import palmares.api.identity.LocalToken;
import palmares.api.roles.Caller;
import palmares.cli.launch.LaunchOptions.Part;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.UserError;
import palmares.platform.embedded.ScratchFolder;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.infra.StartProgress;
import palmares.platform.text.InvalidValue;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.boardfiles.BoardFilesException;
import palmares.rules.boardfiles.Catalogue;

/** One call of the command line: its terminal, its options and the application that it starts. */
public final class Session {
  private final Terminal terminal;
  private final CommonOptions options;
  private final Launcher launcher;
  private boolean isLocal;

  public Session(Terminal terminal, CommonOptions options, Launcher launcher) {
    this.terminal = terminal;
    this.options = options;
    this.launcher = launcher;
  }

  /** Ends the call. */
  public void close() {
    if (isLocal) {
      SecurityContextHolder.clearContext();
    }
  }

  public Terminal terminal() {
    return terminal;
  }

  /** Prints a line of results. */
  public void print(String line) {
    terminal.print(line);
  }

  /** Prints a formatted line of results, the same in every locale. */
  public void print(String format, @Nullable Object... arguments) {
    print(String.format(Locale.ROOT, format, arguments));
  }

  /** Prints a sentence as a result. */
  public void print(Sentence said) {
    print(Texts.here().of(said));
  }

  /** Prints a sentence to standard error. */
  public void note(Sentence said) {
    note(Texts.here().of(said));
  }

  /** Prints a line to standard error. */
  public void note(String line) {
    terminal.note(line);
  }

  /** Prints a formatted line to standard error. */
  public void note(String format, @Nullable Object... arguments) {
    note(String.format(Locale.ROOT, format, arguments));
  }

  /** The data folder that {@code --data} names; empty if the call names none. */
  public Optional<Path> data() {
    return Optional.ofNullable(options.properties().get("palmares.data")).map(Path::of);
  }

  /** A setting that is needed before the application starts; empty if it is not set. */
  public Optional<String> setting(String property, String variable) {
    return Optional.ofNullable(options.setting(property, variable));
  }

  /** The folder of the board files that the call or the environment names; empty if none. */
  public Optional<Path> jobs() {
    return Optional.ofNullable(options.jobs());
  }

  /**
   * Empties the data folder for servers that start without data.
   *
   * @param purpose one word; only a folder of the same purpose is emptied
   * @param usual the folder if the call names none
   * @throws UserError if it holds something else, an earlier process still uses it, or the call
   *     names a server
   */
  public Path scratch(String purpose, Path usual) {
    requireNoNamedServer();
    Path folder = data().orElse(usual);
    try {
      new ScratchFolder(purpose).recreate(folder);
    } catch (InvalidValue e) {
      throw UserError.badInput(e.said());
    } catch (ServersUnavailable e) {
      throw UserError.failed(e.said(), e);
    }
    return folder;
  }

  /**
   * Reads the boards in force.
   *
   * @throws UserError that names every error in every file
   */
  public Catalogue boards() {
    return boards(BoardFiles::readFrom);
  }

  /**
   * Reads the boards in force for a server, which may have none yet.
   *
   * @throws UserError that names every error in every file
   */
  public Catalogue boardsOfServer() {
    return boards(BoardFiles::readForServer);
  }

  private Catalogue boards(Function<@Nullable Path, Catalogue> reader) {
    try {
      return reader.apply(options.jobs());
    } catch (BoardFilesException e) {
      throw UserError.badInput(e.said());
    }
  }

  /**
   * Starts the application with these boards and the options of the call.
   *
   * @throws UserError if it does not start
   */
  public RunningApplication start(LaunchOptions launch, Catalogue boards) {
    requireNoNamedServer();
    if (!launch.has(Part.WEB) && !launch.has(Part.SCHEDULER)) {
      return startHere(launch, boards);
    }
    note(new CommandSentences.Starts());
    LaunchOptions shown = launch.with(StartProgress.class, this::note);
    RunningApplication started = startHere(launch.has(Part.WEB) ? published(shown) : shown, boards);
    tellLauncher();
    return started;
  }

  private void requireNoNamedServer() {
    String option = options.serverOption();
    if (option != null) {
      throw UserError.badUsage(new CommandSentences.StartsServer(option));
    }
  }

  /** It keeps the classes of a server that was ready, for later starts. */
  private static void tellLauncher() {
    String mark = System.getProperty("palmares.launcher-mark");
    if (mark != null) {
      try {
        Files.writeString(Path.of(mark), "");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** So that commands find it. */
  private static LaunchOptions published(LaunchOptions launch) {
    var token = new LocalToken();
    return launch
        .with(LocalToken.class, token)
        .with(ServerPublication.class, new ServerPublication(token));
  }

  /**
   * Connects to the server that the call names, or to the one that runs in the data folder; if
   * there is none, starts one for as long as the command lasts.
   *
   * @param accept the media type of lists
   * @throws UserError if there is no such server, none starts, or it is not clear which one is
   *     meant
   */
  public Client connect(String accept) {
    return connect(accept, options.isForOwnServer());
  }

  /** As {@link #connect}, for a command that sends the board files, which are not the server's. */
  public Client connectWithFiles(String accept) {
    return connect(accept, options.hasSettings());
  }

  private Client connect(String accept, boolean isForOwnServer) {
    Optional<Server> server = server().or(() -> serverOfFolder(isForOwnServer));
    if (server.isPresent()) {
      return new Client(server.get(), accept, options.language(), null);
    }
    note(new CommandSentences.StartsOwnServer(options.data().toString()));
    RunningApplication started =
        startHere(LaunchOptions.ofCommand().with(LocalToken.class, new LocalToken()), boards());
    URI url = ServerPublication.url(started.get(Environment.class));
    String token = started.get(LocalToken.class).secret();
    return new Client(new Server(url, token, launcher.user()), accept, options.language(), started);
  }

  /** The options that say how a server runs are for one that the command starts. */
  private Optional<Server> serverOfFolder(boolean isForOwnServer) {
    if (isForOwnServer) {
      return Optional.empty();
    }
    String database = options.setting("spring.datasource.url", "SPRING_DATASOURCE_URL");
    return ServerFile.find(options.data())
        .filter(found -> database == null || found.isOn(database))
        .map(found -> new Server(found.url(), found.token(), launcher.user()));
  }

  /**
   * Whether the call or the environment names a server.
   *
   * @throws UserError if the call has options for this process, too
   */
  public boolean isRemote() {
    return server().isPresent();
  }

  private Optional<Server> server() {
    String source = options.serverSource();
    if (source != null && options.localOption() != null) {
      throw UserError.badUsage(
          new CommandSentences.TwoServers(
              source,
              options.localOption(),
              options.serverOption() == null
                  ? new CommandSentences.IgnoresVariable("env -u " + source + " palmares …")
                  : null));
    }
    return options.server();
  }

  private RunningApplication startHere(LaunchOptions launch, Catalogue boards) {
    isLocal = true;
    SecurityContextHolder.setContext(
        new SecurityContextImpl(Caller.local(launcher.user()).authentication()));
    LaunchOptions complete = launch.with(Catalogue.class, boards).define(options.properties());
    return launcher.start(options.verbose() ? complete.with(Part.LOG) : complete);
  }
}
