/**
 * Reads YAML files that people write: schema nodes read values, record every fault with its line,
 * and describe themselves as JSON Schema, so that reader and schema cannot differ.
 */
@NullMarked
package palmares.platform.form;

import org.jspecify.annotations.NullMarked;
