package palmares.platform.text;

/**
 * What is wrong with a field of a request.
 *
 * @param pointer the JSON pointer of the field, such as {@code /period}
 */
public record Fault(String pointer, Sentence said) {
  /** The fault of a field at the top of a request. */
  public static Fault of(String field, Sentence said) {
    return new Fault("/" + field, said);
  }
}
