package palmares.platform.text;

import java.time.Duration;
import org.springframework.util.unit.DataSize;

/**
 * A setting whose value is checked when it is bound.
 *
 * @param name such as {@code palmares.verify.days}
 */
public record Setting(String name) {
  private static final String[] SIZE_UNITS = {"B", "KB", "MB", "GB", "TB"};

  /** One of the settings that it groups. */
  public Setting part(String part) {
    return new Setting(name + "." + part);
  }

  /**
   * @throws WrongSetting if the value is less
   */
  public void requireAtLeast(long least, long value) {
    if (value < least) {
      throw wrong(value, new SettingSentences.AtLeast(written(least)));
    }
  }

  /**
   * @throws WrongSetting if the value is shorter
   */
  public void requireAtLeast(Duration least, Duration value) {
    if (value.compareTo(least) < 0) {
      throw wrong(value, new SettingSentences.AtLeast(written(least)));
    }
  }

  /**
   * @throws WrongSetting if the value is outside of these bounds
   */
  public void requireWithin(long least, long most, long value) {
    if (value < least || value > most) {
      throw wrong(value, new SettingSentences.Within(written(least), written(most)));
    }
  }

  /**
   * @throws WrongSetting if the value is outside of these bounds
   */
  public void requireWithin(Duration least, Duration most, Duration value) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw wrong(value, new SettingSentences.Within(written(least), written(most)));
    }
  }

  /**
   * @throws WrongSetting if the value is shorter than that of another setting
   */
  public void requireNoShorter(Setting other, Duration least, Duration value) {
    if (value.compareTo(least) < 0) {
      throw wrong(value, new SettingSentences.NoShorterThan(other.name(), written(least)));
    }
  }

  /** What a value must be that is another. */
  public WrongSetting wrong(Object value, Sentence rule) {
    return new WrongSetting(name, new SettingSentences.Wrong(name, written(value), rule));
  }

  /** As {@link #wrong}, of a value that nobody may read, such as a URL with a token. */
  public WrongSetting wrongSecret(Sentence rule) {
    return new WrongSetting(name, new SettingSentences.WrongSecret(name, rule));
  }

  /** What a value must be that is not set. */
  public WrongSetting missing(Sentence rule) {
    return new WrongSetting(name, new SettingSentences.Missing(name, rule));
  }

  /** A value as a file of settings has it. */
  private static String written(Object value) {
    return value instanceof Duration time
        ? written(time)
        : value instanceof DataSize size ? written(size) : value.toString();
  }

  /** A size in the largest unit of which it is a whole number. */
  private static String written(DataSize size) {
    int unit = 0;
    long number = size.toBytes();
    while (number != 0 && number % 1024 == 0 && unit < SIZE_UNITS.length - 1) {
      number /= 1024;
      unit++;
    }
    return number + SIZE_UNITS[unit];
  }

  private static String written(Duration time) {
    if (time.getNano() % 1_000_000 != 0) {
      return time.toString();
    }
    if (time.toMillisPart() != 0) {
      return time.toMillis() + "ms";
    }
    long seconds = time.toSeconds();
    if (seconds % 60 != 0 || seconds == 0) {
      return seconds + "s";
    }
    return seconds % 3600 != 0
        ? seconds / 60 + "m"
        : seconds % 86_400 != 0 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
  }
}
