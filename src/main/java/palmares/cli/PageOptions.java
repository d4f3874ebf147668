package palmares.cli;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.Listing;
import palmares.api.ops.PageRequest;
import palmares.cli.terminal.CommandSentences;
import picocli.CommandLine.Option;

/** The options of a command that prints a list in pages. */
final class PageOptions {
  @Option(
      names = "--count",
      paramLabel = "N",
      description = "How many to show, up to 10000 (default: the first page in a table, else all).")
  private @Nullable Integer count;

  @Option(
      names = "--after",
      paramLabel = "CURSOR",
      description = "The next page, as the page before it says.")
  private @Nullable String after;

  /** Whether the call names a page. */
  boolean isGiven() {
    return count != null || after != null;
  }

  /**
   * Checks the options before anything starts.
   *
   * @throws palmares.cli.terminal.UserError if they are wrong
   */
  void check() {
    Arguments.atLeast(1, "--count", count);
  }

  /** The number of rows that was asked for, or another one if none was. */
  int count(int otherwise) {
    return count == null ? otherwise : count;
  }

  /** The page that the options name, or all pages; a note says how to read on. */
  Listing read(Function<PageRequest, Listing> pages) {
    Listing read =
        count == null
            ? Listing.followed(cursor -> pages.apply(new PageRequest(null, cursor)), after)
            : pages.apply(new PageRequest(count, after));
    return namingNext(read);
  }

  /** The same list, with a note that says how to read on. */
  static Listing namingNext(Listing read) {
    return format -> {
      Listing.Body body = read.in(format);
      return body.next() == null
          ? body
          : body.withNote(new CommandSentences.MoreRows("--after", body.next()));
    };
  }
}
