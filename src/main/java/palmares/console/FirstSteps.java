package palmares.console;

import java.nio.file.Path;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;
import palmares.platform.text.Commands;
import palmares.platform.text.Next;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.boardfiles.Catalogue;

/** Adds the first steps to a page of a server that has no boards. */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class FirstSteps {
  private final Catalogue boards;
  private final Environment environment;

  FirstSteps(Catalogue boards, Environment environment) {
    this.boards = boards;
    this.environment = environment;
  }

  /**
   * What the first steps name.
   *
   * @param folder the full path for the board files
   * @param samples the names of the samples, one of which is the first board
   * @param port of this server
   */
  record Steps(Path folder, List<String> samples, String port) {
    /** The command that creates the first board. */
    public String create() {
      return Commands.of(Next.of("boards new").with("name", "invites").with("jobs", folder));
    }

    /** The command that checks it. */
    public String check() {
      return Commands.of(Next.of("boards check").with("jobs", folder));
    }

    /** A call that sends an event of the sample that the steps create. */
    public String curl() {
      return """
      curl localhost:%s/api/v1/events -H "Authorization: Bearer $KEY" \\
        -H 'Content-Type: application/json' \\
        -d '{"id":"e1","member":"ada","action":"invite","subject":"grace"}'\
      """
          .formatted(port);
    }
  }

  void addTo(Model model) {
    boards
        .emptyFolder()
        .ifPresent(
            folder ->
                model.addAttribute(
                    "firstSteps",
                    new Steps(
                        folder,
                        BoardFiles.readSamples().all().stream()
                            .map(board -> board.id().value())
                            .toList(),
                        environment.getProperty("local.server.port", "8080"))));
  }
}
