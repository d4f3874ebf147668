package palmares.cli.launch;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import palmares.cli.launch.LaunchOptions.Part;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.UserError;
import palmares.platform.embedded.ScratchFolder;
import palmares.platform.embedded.ServersUnavailable;
import palmares.rules.catalogue.BoardFiles;
import palmares.rules.catalogue.BoardFilesException;
import palmares.rules.catalogue.Catalogue;

/** One call of the command line: its terminal, its options, and the application that it starts. */
public final class Session {
  private final Terminal terminal;
  private final CommonOptions settings;
  private final Launcher launcher;

  public Session(Terminal terminal, CommonOptions settings, Launcher launcher) {
    this.terminal = terminal;
    this.settings = settings;
    this.launcher = launcher;
  }

  public Terminal terminal() {
    return terminal;
  }

  /** The folder that the call names for the embedded servers; empty if it names none. */
  public Optional<Path> data() {
    return Optional.ofNullable(settings.properties().get("palmares.data")).map(Path::of);
  }

  /**
   * Empties the folder that the call names, or the usual one, for servers that are made afresh.
   *
   * @param purpose one word for what the folder is; only a folder of the same purpose is emptied
   * @throws UserError if it holds something else, or an earlier run still goes on there
   */
  public Path scratch(String purpose, Path usual) {
    Path folder = data().orElse(usual);
    try {
      new ScratchFolder(purpose).recreate(folder);
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    } catch (ServersUnavailable e) {
      throw UserError.failed(String.valueOf(e.getMessage()), e);
    }
    return folder;
  }

  /**
   * The boards in force.
   *
   * @throws UserError that names every fault of every file
   */
  public Catalogue boards() {
    try {
      return BoardFiles.readFrom(settings.jobs());
    } catch (BoardFilesException e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Starts the application with these boards and the options of the call.
   *
   * @throws UserError if it does not start
   */
  public RunningApplication start(LaunchOptions launch, Catalogue boards) {
    LaunchOptions complete = launch.with(Catalogue.class, boards);
    for (Map.Entry<String, String> property : settings.properties().entrySet()) {
      if (!launch.properties().containsKey(property.getKey())) {
        complete = complete.with(property.getKey(), property.getValue());
      }
    }
    return launcher.start(settings.verbose() ? complete.with(Part.LOG) : complete);
  }
}
