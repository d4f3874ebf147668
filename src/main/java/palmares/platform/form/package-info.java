/**
 * Files that people write in YAML: shapes that read themselves, note every fault with its line, and
 * describe themselves as JSON Schema, so that what is checked and what is described are one. Knows
 * no board.
 */
@NullMarked
package palmares.platform.form;

import org.jspecify.annotations.NullMarked;
