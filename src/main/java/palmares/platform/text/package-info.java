/**
 * Says things as data: a sentence is a code with values, a refusal is a sentence about fields, a
 * next step is an operation with its fields. A door makes text of them in the reader's language.
 */
@NullMarked
package palmares.platform.text;

import org.jspecify.annotations.NullMarked;
