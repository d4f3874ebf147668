package palmares.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
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
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.util.StringUtils;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;
import palmares.platform.text.Money;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.rules.payout.Sums;
import palmares.settlement.outcome.PaymentSums.Sum;

/**
 * Formats values on a page.
 *
 * @param now when the page is made
 * @param zone the time zone of the page's board; null if the page is about no single board, and a
 *     script shows its times in the viewer's zone
 */
record Show(Locale locale, Instant now, @Nullable ZoneId zone) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);
  private static final DateTimeFormatter HOUR = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);

  /** A text of at most this many characters stays on one line. */
  private static final int SHORT_TEXT = 16;

  /** A text of more characters may be broken into lines, but not into words. */
  private static final int LONG_TEXT = 24;

  private static final int MIN_TIME_LENGTH = "2026-11-20T00:00:00Z".length();

  private static final Duration SECOND_LONG = Duration.ofSeconds(1);
  private static final Duration MINUTE_LONG = Duration.ofMinutes(1);
  private static final Duration HOUR_LONG = Duration.ofHours(1);
  private static final Duration ONE_DAY = Duration.ofDays(1);
  private static final Duration TWO_DAYS = Duration.ofDays(2);

  private static final char MINUS = '−';

  /** The states in which a failure is the last thing that happened. */
  private static final Set<String> CLOSING = Set.of("open", "sealed", "filled", "approved");

  private static final List<Item> MENU =
      List.of(
          new Item("", "inbox"),
          new Item("/boards", "boards"),
          new Item("/members", "members"),
          new Item("/ledger", "ledger"),
          new Item("/tasks", "tasks"),
          new Item("/deliveries", "deliveries"),
          new Item("/memory", "memory"),
          new Item("/verification", "verification"),
          new Item("/audit", "audit"),
          new Item("/people", "people"));

  /** The pages before which the menu leaves a gap. */
  private static final Set<String> GROUPS = Set.of("ledger", "deliveries", "people");

  /**
   * A page in the menu.
   *
   * @param word of its message
   */
  record Item(String under, String word) {
    public String path() {
      return Console.PATH + under;
    }

    /** Whether it is the first of those about money, about the installation, or about access. */
    public boolean beginsGroup() {
      return GROUPS.contains(word);
    }

    /** Whether a path is that of the page, or below it. */
    public boolean covers(String path) {
      return path.equals(path()) || (!under.isEmpty() && path.startsWith(path() + "/"));
    }
  }

  /** For a page about no single board. */
  Show(Locale locale, Instant now) {
    this(locale, now, null);
  }

  /** The one of a page. */
  static Show of(Model model) {
    return (Show) requireNonNull(model.getAttribute("show"));
  }

  /** The same with times in the zone of a board. */
  Show in(ZoneId boardZone) {
    return new Show(locale, now, boardZone);
  }

  public List<Item> menu() {
    return MENU;
  }

  /** The word of the page in the menu that has a path; that of the first if none has. */
  public String pageOf(String path) {
    return MENU.stream().filter(item -> item.covers(path)).findFirst().orElse(MENU.get(0)).word();
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

  /**
   * The CSS classes of a cell: numbers end at the right, short texts stay on one line, and long
   * ones get room; else null.
   */
  public @Nullable String cellClass(@Nullable Object value) {
    if (value instanceof Number number) {
      return number.doubleValue() == 0 ? "number zero" : "number";
    }
    if (value instanceof Duration) {
      return "number";
    }
    int length = value(value).length();
    return isTime(value) || length > SHORT_TEXT && length <= LONG_TEXT
        ? null
        : length > LONG_TEXT ? "long" : "short";
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

  /** A number with separators, and a true minus sign; a dash for none. */
  public String number(@Nullable Object value) {
    return value instanceof Number number
        ? NumberFormat.getInstance(locale).format(number).replace('-', MINUS)
        : value == null ? "–" : value.toString();
  }

  /** Credits as a number, and then what was awarded in other currencies; empty if unknown. */
  public String prizes(@Nullable Long credits, @Nullable List<Money> others) {
    if (credits == null || others == null || others.isEmpty()) {
      return credits == null ? "" : number(credits);
    }
    String list = Money.list(others, this::number);
    return credits == 0 ? list : number(credits) + ", " + list;
  }

  /** The same of sums by currency. */
  public String prizes(Sums awarded) {
    return prizes(awarded.credits(), awarded.others());
  }

  /** What members get and give back, such as {@code +4,500 / −4,500 credits}; empty if nothing. */
  public String moved(Collection<Sum> sums) {
    return sums.stream()
        .map(this::moved)
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private String moved(Sum sum) {
    String text =
        Stream.of(signed(sum.gets()), signed(sum.owes().negate()))
            .filter(amount -> !amount.isEmpty())
            .collect(Collectors.joining(" / "));
    return text.isEmpty() ? "" : text + " " + sum.currency();
  }

  /** A difference with its sign; empty if it is 0. */
  public String signed(BigDecimal difference) {
    return switch (difference.signum()) {
      case 1 -> "+" + number(difference);
      case -1 -> number(difference);
      default -> "";
    };
  }

  /** The same of a number. */
  public String signed(long difference) {
    return signed(BigDecimal.valueOf(difference));
  }

  /** A time in the zone of the board; without one in UTC, which a script replaces. */
  public String time(@Nullable Object at) {
    Instant time = instant(at);
    if (time == null) {
      return "";
    }
    return zone == null
        ? TIME.format(time.atOffset(ZoneOffset.UTC)) + " UTC"
        : TIME.format(time.atZone(zone));
  }

  /** The same to the minute. */
  public String minute(@Nullable Object at) {
    Instant time = instant(at);
    if (time == null) {
      return "";
    }
    return zone == null
        ? MINUTE.format(time.atOffset(ZoneOffset.UTC)) + " UTC"
        : MINUTE.format(time.atZone(zone));
  }

  /** A time in a zone, to the minute. */
  public String timeIn(@Nullable Object at, ZoneId other) {
    Instant time = instant(at);
    return time == null ? "" : MINUTE.format(time.atZone(other));
  }

  /** The same without its date if it is less than a day from now. */
  public String soonIn(@Nullable Object at, ZoneId other) {
    Instant time = instant(at);
    return time != null && Duration.between(now, time).abs().compareTo(ONE_DAY) < 0
        ? HOUR.format(time.atZone(other))
        : timeIn(at, other);
  }

  public boolean isPast(@Nullable Object at) {
    Instant time = instant(at);
    return time != null && time.isBefore(now);
  }

  /** How far a time is from now, in either direction, as the page's script shows it. */
  public String distance(@Nullable Object at) {
    Instant time = instant(at);
    return time == null ? "" : span(Duration.between(time, now).abs());
  }

  /** How long it took from a time to another; until now if there is no other. */
  public String duration(@Nullable Object from, @Nullable Object to) {
    Instant start = instant(from);
    Instant end = instant(to);
    if (start == null) {
      return "";
    }
    return duration(Duration.between(start, end == null ? now : end).abs());
  }

  private String duration(Duration took) {
    if (took.compareTo(SECOND_LONG) < 0) {
      return took.toMillis() == 0 ? "< 1 ms" : took.toMillis() + " ms";
    }
    return took.compareTo(MINUTE_LONG) < 0
        ? String.format(Locale.ROOT, "%.2f %s", took.toMillis() / 1e3, units().get(0))
        : span(took);
  }

  /** In the two largest units that it has. */
  private String span(Duration time) {
    List<String> units = units();
    if (time.compareTo(MINUTE_LONG) < 0) {
      return "%s %s".formatted(time.toSeconds(), units.get(0));
    }
    if (time.compareTo(HOUR_LONG) < 0) {
      return "%s %s %s %s"
          .formatted(time.toMinutes(), units.get(1), time.toSecondsPart(), units.get(0));
    }
    return time.compareTo(TWO_DAYS) < 0
        ? "%s %s %s %s".formatted(time.toHours(), units.get(2), time.toMinutesPart(), units.get(1))
        : "%s %s %s %s".formatted(time.toDays(), units.get(3), time.toHoursPart(), units.get(2));
  }

  /** The short names of second, minute, hour and day, which the page's script uses, too. */
  public List<String> units() {
    return locale.getLanguage().equals("zh")
        ? List.of("秒", "分", "小时", "天")
        : List.of("s", "min", "h", "d");
  }

  /** The one state of a period that a cell shows: that its last closing failed comes first. */
  public static String cellState(String state, @Nullable Object failure) {
    return failure != null && CLOSING.contains(state) ? "failed" : state;
  }

  /** Any value as text. */
  public String value(@Nullable Object value) {
    if (value == null) {
      return "";
    }
    if (isTime(value)) {
      return time(value);
    }
    if (value instanceof Duration took) {
      return duration(took);
    }
    if (value instanceof Sentence said) {
      return Texts.in(locale).of(said);
    }
    if (value instanceof Money money) {
      return Money.list(List.of(money), this::number);
    }
    if (value instanceof Collection<?> all) {
      return all.stream().map(this::value).collect(Collectors.joining("; "));
    }
    return value instanceof Number ? number(value) : value.toString();
  }
}
