/** How commands write their results: tables for people, CSV, JSON, whole files. */
@NullMarked
package palmares.cli.output;

import org.jspecify.annotations.NullMarked;
