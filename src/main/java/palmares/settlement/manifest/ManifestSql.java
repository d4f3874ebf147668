package palmares.settlement.manifest;

import palmares.platform.sql.SqlFile;

/**
 * Holds the statements that compute the fields of manifests: rows of {@code period_id, field,
 * value}. {@link palmares.settlement.outcome.OutcomeTables} names their tables.
 *
 * <p>The parameters are one {@code :revision} of the periods {@code :ids}, its {@code :outcomes},
 * and the {@code :zone} of the board. Prizes are for members with {@code :least} to {@code :most}
 * points who, if {@code :registeredOnly}, had registered by the end. The awards of amendments are
 * sums of payments of the outcomes {@code :parts}, which are empty for closings.
 *
 * <p>A checksum is the sum of the first eight bytes of each row's SHA-256. So it needs neither an
 * order nor memory, and shows that something has changed, but not what.
 */
public final class ManifestSql {
  /** Derived from every stored row, as a verification compares them. */
  public static final String FIELDS_OF_ROWS = read("fields-of-rows.sql");

  /** By stored counts and checksums, as the posting of an amendment writes them. */
  static final String FIELDS_OF_AMENDMENT = read("fields-of-amendment.sql");

  /** By stored counts and checksums, as the posting of a closing writes them. */
  static final String FIELDS_OF_CLOSING = read("fields-of-closing.sql");

  private ManifestSql() {}

  /** Replaces <code>{column_at}</code> by the column's time as text. */
  private static String read(String file) {
    return SqlFile.read(ManifestSql.class, file)
        .replaceAll(
            "\\{([a-z_.]+at)}",
            "to_char($1 at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')");
  }
}
