package palmares.platform.text;

import org.jspecify.annotations.Nullable;

/** Reports that a server cannot start with a setting. */
public final class WrongSetting extends IllegalArgumentException implements Saying {
  private final @Nullable String setting;
  private final transient Sentence said;

  /**
   * @param setting the one that is wrong; null if the sentence says where each was set
   */
  public WrongSetting(@Nullable String setting, Sentence said) {
    this.setting = setting;
    this.said = said;
  }

  /** The setting of which it is not said yet where it was set; null if there is none. */
  public @Nullable String setting() {
    return setting;
  }

  @Override
  public Sentence said() {
    return said;
  }

  /** Returns the sentence in English. */
  @Override
  public String getMessage() {
    return Texts.english(said);
  }
}
