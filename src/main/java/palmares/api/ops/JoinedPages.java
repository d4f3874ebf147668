package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import palmares.platform.output.OutputFormat;

/**
 * Pages of rows as one array in JSON. Holds one page at a time.
 *
 * @param first a page with rows
 */
record JoinedPages(Listing.Body first, Function<@Nullable String, Listing> pages)
    implements Listing.Content {
  private static final String START = "[\n";
  private static final String END = "\n]\n";
  private static final String WITHOUT_ROWS = "[]\n";

  @Override
  public void write(OutputStream out, boolean raw) throws IOException {
    String separator = START;
    for (Listing.Body page = first; page != null; page = next(page)) {
      var bytes = new ByteArrayOutputStream();
      page.content().write(bytes, raw);
      String text = bytes.toString(UTF_8);
      if (!text.equals(WITHOUT_ROWS)) {
        String rows = text.substring(START.length(), text.length() - END.length());
        out.write((separator + rows).getBytes(UTF_8));
        separator = ",\n";
      }
    }
    out.write(END.getBytes(UTF_8));
  }

  @Override
  public List<Map<String, @Nullable Object>> data() {
    var data = new ArrayList<Map<String, @Nullable Object>>();
    for (Listing.Body page = first; page != null; page = next(page)) {
      data.addAll(page.content().data());
    }
    return data;
  }

  private Listing.@Nullable Body next(Listing.Body page) {
    return page.next() == null ? null : pages.apply(page.next()).in(OutputFormat.JSON);
  }
}
