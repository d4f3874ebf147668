package palmares.cli;

import java.util.concurrent.Callable;
import palmares.cli.launch.Session;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script with which a shell completes commands and options. */
@Command(
    name = "completion",
    description = {
      "Prints a script with which bash or zsh completes commands and options. Put it where the"
          + " shell loads completions, or load it in this shell."
    },
    exitCodeList = {"0:printed", "2:bad usage"},
    footer = {
      "  source <(palmares completion bash)",
      "  palmares completion bash > /etc/bash_completion.d/palmares"
    })
final class CompletionCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  private Shell shell = Shell.BASH;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A shell; zsh loads its support for scripts of bash itself. */
  enum Shell {
    BASH,
    ZSH
  }

  CompletionCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String prefix = shell == Shell.ZSH ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
    session.print(prefix + AutoComplete.bash("palmares", spec.root().commandLine()));
    return 0;
  }
}
