package palmares.platform.text;

/** Reports that a value is not allowed, and why. */
public final class InvalidValue extends IllegalArgumentException implements Saying {
  private final transient Sentence said;

  public InvalidValue(Sentence said) {
    this.said = said;
  }

  public Sentence said() {
    return said;
  }

  /** Returns the sentence in English. */
  @Override
  public String getMessage() {
    return Texts.english(said);
  }
}
