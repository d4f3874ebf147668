package palmares.operations.archive;

import java.nio.file.Path;
import java.util.Map;

/**
 * What was written of a period.
 *
 * @param folder where it is
 * @param rows how many there are in each file, by the file's name
 * @param bytes what all of them take
 * @param hash SHA-256 of the list of checksums
 * @param dropped how many rows left the database
 */
public record Archived(
    Path folder, Map<String, Long> rows, long bytes, String hash, long dropped) {}
