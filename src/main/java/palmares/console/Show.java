package palmares.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.text.NumberFormat;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;
import palmares.platform.output.DisplayFormat;

/**
 * Formats values on a page.
 *
 * @param now when the page is made
 */
record Show(Locale locale, Instant now) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

  /** A text of more characters may be broken into lines, but not into words. */
  private static final int LONG_TEXT = 24;

  private static final int MIN_TIME_LENGTH = "2026-11-20T00:00:00Z".length();
  private static final List<Item> MENU =
      List.of(
          new Item("", "inbox"),
          new Item("/boards", "boards"),
          new Item("/members", "members"),
          new Item("/ledger", "ledger"),
          new Item("/batches", "batches"),
          new Item("/deliveries", "deliveries"),
          new Item("/memory", "memory"),
          new Item("/verification", "verification"),
          new Item("/audit", "audit"),
          new Item("/people", "people"));

  /**
   * A page in the menu.
   *
   * @param word of its message
   */
  record Item(String under, String word) {
    public String path() {
      return Console.PATH + under;
    }

    /** Whether a path is that of the page, or below it. */
    public boolean covers(String path) {
      return path.equals(path()) || (!under.isEmpty() && path.startsWith(path() + "/"));
    }
  }

  public List<Item> menu() {
    return MENU;
  }

  /** The address of a page in another language. */
  public String inLanguage(String path, @Nullable String query, String language) {
    return UriComponentsBuilder.fromPath(path)
        .query(query == null ? "" : query)
        .replaceQueryParam("lang", language)
        .build()
        .toUriString();
  }

  /**
   * The address of another page of a list on the same page.
   *
   * @param name the parameter that has the list's cursor
   * @param cursor null for the first page
   */
  public String page(String path, @Nullable String query, String name, @Nullable String cursor) {
    var address = UriComponentsBuilder.fromPath(path).query(query == null ? "" : query);
    return (cursor == null
            ? address.replaceQueryParam(name)
            : address.replaceQueryParam(name, cursor))
        .build()
        .toUriString();
  }

  /**
   * An address with parameters, without those that have no value.
   *
   * @param parameters names, each with its value after it
   */
  public String with(String address, @Nullable Object... parameters) {
    var result = new StringBuilder(address);
    for (int i = 0; i < parameters.length; i += 2) {
      Object value = parameters[i + 1];
      if (value != null && !value.toString().isBlank()) {
        result
            .append(result.indexOf("?") < 0 ? '?' : '&')
            .append(parameters[i])
            .append('=')
            .append(UriUtils.encode(value.toString().strip(), UTF_8));
      }
    }
    return result.toString();
  }

  /** Whether an address has a parameter: whether a list is past its first page. */
  public boolean has(@Nullable String query, String name) {
    return query != null && ("&" + query).contains("&" + name + "=");
  }

  /** A part of a path with any characters, such as a member's id with a slash or a semicolon. */
  public String segment(String text) {
    return UriUtils.encode(text, UTF_8);
  }

  static String capitalized(String word) {
    return StringUtils.capitalize(word);
  }

  public boolean isNumber(@Nullable Object value) {
    return value instanceof Number;
  }

  /** The CSS class of a cell: numbers end at the right, and long texts get room; else null. */
  public @Nullable String cellClass(@Nullable Object value) {
    if (isNumber(value)) {
      return "number";
    }
    return !isTime(value) && value(value).length() > LONG_TEXT ? "long" : null;
  }

  /** Whether a value is a time, as JSON has it. */
  public boolean isTime(@Nullable Object value) {
    return value instanceof String text
        && text.length() >= MIN_TIME_LENGTH
        && text.endsWith("Z")
        && instant(text) != null;
  }

  private static @Nullable Instant instant(@Nullable Object value) {
    try {
      return value instanceof Instant time
          ? time
          : value == null ? null : Instant.parse(value.toString());
    } catch (DateTimeException e) {
      return null;
    }
  }

  public String number(@Nullable Object value) {
    return value instanceof Number number
        ? NumberFormat.getInstance(locale).format(number)
        : value == null ? "–" : value.toString();
  }

  /** Credits as a number, and then what was awarded in other currencies; empty if unknown. */
  public String prizes(@Nullable Long credits, @Nullable String others) {
    if (credits == null || others == null) {
      return credits == null ? "" : number(credits);
    }
    return credits == 0 ? others : number(credits) + ", " + others;
  }

  /** The same of sums by currency. */
  public String prizes(Map<String, Long> awarded) {
    String others =
        awarded.entrySet().stream()
            .filter(sum -> !sum.getKey().equals("credits"))
            .map(sum -> number(sum.getValue()) + " " + sum.getKey())
            .collect(Collectors.joining(", "));
    return prizes(awarded.getOrDefault("credits", 0L), others.isEmpty() ? null : others);
  }

  /** A time in UTC, which a script replaces by that of the viewer's zone. */
  public String time(@Nullable Object at) {
    Instant time = instant(at);
    return time == null ? "" : TIME.format(time.atOffset(ZoneOffset.UTC)) + " UTC";
  }

  /** A time in a zone, to the minute. */
  public String timeIn(@Nullable Object at, ZoneId zone) {
    Instant time = instant(at);
    return time == null ? "" : MINUTE.format(time.atZone(zone));
  }

  public boolean isPast(@Nullable Object at) {
    Instant time = instant(at);
    return time != null && time.isBefore(now);
  }

  /** How far a time is from now, in either direction. */
  public String distance(@Nullable Object at) {
    Instant time = instant(at);
    return time == null ? "" : DisplayFormat.duration(Duration.between(time, now).abs());
  }

  /** How long it took from a time to another; until now if there is no other. */
  public String duration(@Nullable Object from, @Nullable Object to) {
    Instant start = instant(from);
    Instant end = instant(to);
    return start == null
        ? ""
        : DisplayFormat.duration(Duration.between(start, end == null ? now : end).abs());
  }

  /** Any value as text. */
  public String value(@Nullable Object value) {
    if (value == null) {
      return "";
    }
    if (isTime(value)) {
      return time(value);
    }
    if (value instanceof Collection<?> all) {
      return all.stream().map(String::valueOf).collect(Collectors.joining("; "));
    }
    return value instanceof Number ? number(value) : value.toString();
  }
}
