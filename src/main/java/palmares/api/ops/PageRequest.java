package palmares.api.ops;

import org.jspecify.annotations.Nullable;

/**
 * The page of a list that grows: {@code ?count=N&after=CURSOR}.
 *
 * @param count its length, 1 to 10,000; null for the usual one of the list in a table, 1,000 in
 *     JSON, and all rows in files
 * @param after the cursor of the page; null for the first one
 */
public record PageRequest(@Nullable Integer count, @Nullable String after) {
  public static final String COUNT = "count";
  public static final String AFTER = "after";

  /** The first page, of the default length. */
  public static final PageRequest FIRST = new PageRequest(null, null);
}
