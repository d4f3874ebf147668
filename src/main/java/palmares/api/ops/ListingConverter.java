package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriUtils;
import palmares.platform.output.OutputFormat;

/**
 * Converts results to and from HTTP: JSON, {@code text/csv}, or {@code text/plain} for a table.
 * What is not part of the rows is in headers. With {@code text/csv;raw=true}, CSV has all texts
 * unchanged.
 */
@Component
public final class ListingConverter extends AbstractHttpMessageConverter<Listing> {
  static final String STATUS = "Palmares-Status";
  static final String NOTE = "Palmares-Note";

  private static final String RAW = "raw";
  private static final String NEXT = "<?after=%s>; rel=\"next\"";
  private static final MediaType CSV = new MediaType("text", "csv");

  public ListingConverter() {
    super(UTF_8, MediaType.APPLICATION_JSON, CSV, MediaType.TEXT_PLAIN);
  }

  /** The media type of a format. */
  public static MediaType type(OutputFormat format, boolean raw) {
    return switch (format) {
      case TABLE -> MediaType.TEXT_PLAIN;
      case CSV -> raw ? MediaType.parseMediaType("text/csv;raw=true") : CSV;
      case JSON -> MediaType.APPLICATION_JSON;
    };
  }

  @Override
  protected boolean supports(Class<?> type) {
    return Listing.class.isAssignableFrom(type);
  }

  @Override
  protected void writeInternal(Listing listing, HttpOutputMessage message) throws IOException {
    MediaType type = Objects.requireNonNull(message.getHeaders().getContentType());
    Listing.Body body = listing.in(format(type));
    HttpHeaders headers = message.getHeaders();
    headers.setContentType(new MediaType(type, UTF_8));
    headers.set(STATUS, body.status().name().toLowerCase(Locale.ROOT));
    body.notes().forEach(note -> headers.add(NOTE, UriUtils.encode(note, UTF_8)));
    if (body.next() != null) {
      headers.set(HttpHeaders.LINK, NEXT.formatted(body.next()));
    }
    Writer out = new BufferedWriter(new OutputStreamWriter(message.getBody(), UTF_8));
    body.content().write(out, type.getParameter(RAW) != null);
    out.flush();
  }

  private static OutputFormat format(MediaType type) {
    return type.isCompatibleWith(CSV)
        ? OutputFormat.CSV
        : type.isCompatibleWith(MediaType.TEXT_PLAIN) ? OutputFormat.TABLE : OutputFormat.JSON;
  }

  /** Keeps the text in a temporary file, because it may be large and is written later. */
  @Override
  protected Listing readInternal(Class<? extends Listing> type, HttpInputMessage message)
      throws IOException {
    Path text = Files.createTempFile("palmares-listing", null);
    text.toFile().deleteOnExit();
    Files.copy(message.getBody(), text, StandardCopyOption.REPLACE_EXISTING);
    HttpHeaders headers = message.getHeaders();
    String status = headers.getFirst(STATUS);
    List<String> notes =
        headers.getOrEmpty(NOTE).stream().map(note -> UriUtils.decode(note, UTF_8)).toList();
    return format ->
        new Listing.Body(
            (out, raw) -> copy(text, out),
            status == null ? Listing.Status.OK : status(status),
            notes,
            next(headers.getFirst(HttpHeaders.LINK)));
  }

  private static Listing.Status status(String word) {
    return Listing.Status.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static void copy(Path text, Writer out) throws IOException {
    try (Reader lines = Files.newBufferedReader(text)) {
      lines.transferTo(out);
    } finally {
      Files.delete(text);
    }
  }

  private static @Nullable String next(@Nullable String link) {
    return link == null ? null : link.replaceAll(".*after=([^>]*)>.*", "$1");
  }
}
