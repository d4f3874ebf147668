package palmares.platform.text;

/** An exception that says what happened as data. */
public interface Saying {
  /** Returns what happened, and where. */
  Sentence said();
}
