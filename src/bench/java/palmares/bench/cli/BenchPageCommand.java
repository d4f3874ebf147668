package palmares.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import palmares.bench.page.Measurements.Measurement;
import palmares.bench.page.PerformancePage;
import palmares.cli.launch.Session;
import palmares.cli.terminal.AtomicFile;
import palmares.cli.terminal.UserError;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Writes the performance page. */
@Command(
    name = "page",
    description =
        "Writes a page and plots of the figures that the other commands wrote by --json; measures"
            + " nothing.",
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = "  palmares-bench page --out performance.md close.json write.json")
final class BenchPageCommand implements Callable<Integer> {
  private static final String ENDING = ".md";

  private final Session session;

  @Option(
      names = "--out",
      paramLabel = "FILE.md",
      defaultValue = "src/docs/performance.md",
      description = "The page (default: src/docs/performance.md).")
  private Path out = Path.of("");

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "A file written by --json.")
  private List<Path> files = List.of();

  BenchPageCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String name = String.valueOf(out.getFileName());
    if (!name.endsWith(ENDING)) {
      throw UserError.badInput(Sentence.verbatim("--out is a file that ends with .md, not " + out));
    }
    Path plot = out.resolveSibling(name.replaceFirst("\\.md$", ".svg"));
    Path failover = out.resolveSibling(name.replaceFirst("\\.md$", "-failover.svg"));
    PerformancePage page = page();
    String text = markdown(page, plot, failover);
    AtomicFile.write(plot, writer -> writer.write(page.plot()));
    page.failover().ifPresent(svg -> AtomicFile.write(failover, writer -> writer.write(svg)));
    AtomicFile.write(out, writer -> writer.write(text));
    session
        .terminal()
        .note(
            page.failover().isPresent()
                ? "wrote %s, %s and %s".formatted(out, plot.getFileName(), failover.getFileName())
                : "wrote %s and %s".formatted(out, plot.getFileName()));
    return 0;
  }

  private static String markdown(PerformancePage page, Path plot, Path failover) {
    try {
      return page.markdown(
          String.valueOf(plot.getFileName()), String.valueOf(failover.getFileName()));
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(Refusal.said(e));
    }
  }

  private PerformancePage page() {
    var measurements = new ArrayList<Measurement>();
    for (Path file : files) {
      measurements.add(read(file));
    }
    try {
      return new PerformancePage(measurements);
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(Refusal.said(e));
    }
  }

  @SuppressWarnings("unchecked")
  private static Measurement read(Path file) {
    try {
      return new Measurement(JsonMapper.shared().readValue(Files.readString(file), Map.class));
    } catch (IOException e) {
      throw UserError.badInput(Sentence.verbatim("%s cannot be read: %s".formatted(file, e)));
    } catch (JacksonException e) {
      throw UserError.badInput(
          Sentence.verbatim("%s is no JSON object: %s".formatted(file, e.getOriginalMessage())));
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(Sentence.verbatim("%s %s".formatted(file, e.getMessage())));
    }
  }
}
