/**
 * The boards that there are: read from {@code jobs/*.yml}, checked, every fault named with its
 * line. Also makes the JSON Schema that editors complete the files by.
 */
@NullMarked
package palmares.rules.catalogue;

import org.jspecify.annotations.NullMarked;
