package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import org.springframework.web.util.UriUtils;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Texts;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts results to HTTP: JSON, {@code text/csv}, XLSX, or {@code text/plain} for a table. What
 * is not part of the rows is in headers. With {@code text/csv;raw=true}, CSV has all texts
 * unchanged.
 */
@Component
public final class ListingConverter extends AbstractHttpMessageConverter<Listing> {
  /** The header with the {@link Listing.Status}. */
  public static final String STATUS = "Palmares-Status";

  /** The headers with a note each, percent-encoded. */
  public static final String NOTE = "Palmares-Note";

  /** The headers with a next step each, as percent-encoded JSON. */
  public static final String NEXT = "Palmares-Next";

  private static final Duration STREAM_RETRY = Duration.ofSeconds(10);

  /** The parameter of CSV with all texts unchanged. */
  private static final String RAW = "raw";

  /** Tomcat sends 8 KiB of headers, and proxies often take 4 KiB. The rest is for all others. */
  private static final int MAX_BYTES_OF_NOTES = 3_000;

  private static final int MAX_NOTES = 40;
  private static final int BYTES_PER_HEADER = NOTE.length() + ": \r\n".length();
  private static final String ELLIPSIS = UriUtils.encode("…", UTF_8);
  private static final MediaType CSV = type(OutputFormat.CSV);
  private static final MediaType XLSX = type(OutputFormat.XLSX);

  /** Of results whose reading holds a connection, as many are written at a time. */
  private final Semaphore streams;

  /**
   * Leaves three quarters of the connections to everything else, because a client decides how long
   * it takes to read a result.
   */
  @Autowired
  ListingConverter(@Value("${spring.datasource.hikari.maximum-pool-size}") int connections) {
    super(UTF_8, MediaType.APPLICATION_JSON, CSV, MediaType.TEXT_PLAIN, XLSX);
    streams = new Semaphore(Math.max(1, connections / 4));
  }

  /** The media type of a format. */
  static MediaType type(OutputFormat format) {
    return MediaType.parseMediaType(format.mediaType());
  }

  @Override
  protected boolean supports(Class<?> type) {
    return Listing.class.isAssignableFrom(type);
  }

  @Override
  protected void writeInternal(Listing listing, HttpOutputMessage message) throws IOException {
    MediaType type = Objects.requireNonNull(message.getHeaders().getContentType());
    OutputFormat format = format(type);
    Listing.Body body = listing.in(format);
    if (!body.content().holdsConnection()) {
      write(body, format, type, message);
    } else if (streams.tryAcquire()) {
      try {
        write(body, format, type, message);
      } finally {
        streams.release();
      }
    } else {
      throw new Refusal(Problem.TOO_MANY_REQUESTS, new ListingSentences.TooManyReads())
          .after(STREAM_RETRY);
    }
  }

  private static void write(
      Listing.Body body, OutputFormat format, MediaType type, HttpOutputMessage message)
      throws IOException {
    HttpHeaders headers = message.getHeaders();
    headers.setContentType(format == OutputFormat.XLSX ? XLSX : new MediaType(type, UTF_8));
    headers.set(STATUS, body.status().name().toLowerCase(Locale.ROOT));
    Texts texts = Texts.here();
    encoded(body.notes().stream().map(texts::of).map(TerminalText::of).toList())
        .forEach(note -> headers.add(NOTE, note));
    body.steps()
        .forEach(
            step ->
                headers.add(
                    NEXT, UriUtils.encode(JsonMapper.shared().writeValueAsString(step), UTF_8)));
    if (body.next() != null) {
      headers.set(HttpHeaders.LINK, link(body.next()));
    }
    body.content().write(message.getBody(), type.getParameter(RAW) != null);
    message.getBody().flush();
  }

  /**
   * The notes as headers. If they are too many, those in the middle are left out; if they are too
   * long together, the longest are cut, so that commands stay whole.
   */
  static List<String> encoded(List<String> notes) {
    var few = new ArrayList<String>(notes);
    if (notes.size() > MAX_NOTES) {
      List<String> middle = few.subList(MAX_NOTES / 2, notes.size() - MAX_NOTES / 2 + 1);
      String more = Texts.here().of(new ListingSentences.MoreNotes(middle.size()));
      middle.clear();
      few.add(MAX_NOTES / 2, more);
    }
    int most = MAX_BYTES_OF_NOTES;
    List<String> encoded = encoded(few, most);
    while (encoded.stream().mapToInt(note -> note.length() + BYTES_PER_HEADER).sum()
        > MAX_BYTES_OF_NOTES) {
      most = most * 9 / 10;
      encoded = encoded(few, most);
    }
    return encoded;
  }

  private static List<String> encoded(List<String> notes, int most) {
    return notes.stream().map(note -> encoded(note, most)).toList();
  }

  private static String encoded(String note, int most) {
    String whole = UriUtils.encode(note, UTF_8);
    if (whole.length() <= most) {
      return whole;
    }
    var cut = new StringBuilder();
    PrimitiveIterator.OfInt characters = note.codePoints().iterator();
    String next = "";
    while (cut.length() + next.length() + ELLIPSIS.length() <= most) {
      cut.append(next);
      next = UriUtils.encode(Character.toString(characters.nextInt()), UTF_8);
    }
    return cut.append(ELLIPSIS).toString();
  }

  /** The same request for the next page. */
  private static String link(String next) {
    String query =
        ServletUriComponentsBuilder.fromCurrentRequest()
            .replaceQueryParam(PageRequest.AFTER, next)
            .build()
            .getQuery();
    return "<?%s>; rel=\"next\"".formatted(query);
  }

  static OutputFormat format(MediaType type) {
    if (type.isCompatibleWith(CSV)) {
      return OutputFormat.CSV;
    }
    if (type.isCompatibleWith(XLSX)) {
      return OutputFormat.XLSX;
    }
    return type.isCompatibleWith(MediaType.TEXT_PLAIN) ? OutputFormat.TABLE : OutputFormat.JSON;
  }

  @Override
  public boolean canRead(Class<?> type, @Nullable MediaType mediaType) {
    return false;
  }

  @Override
  protected Listing readInternal(Class<? extends Listing> type, HttpInputMessage message) {
    throw new UnsupportedOperationException();
  }
}
