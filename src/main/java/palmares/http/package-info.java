/**
 * What the HTTP doors share: every problem that they answer with, by its own type; requests that
 * are answered once; how addresses are read; and the document that describes them all.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"background", "board", "live", "relay", "intake"})
package palmares.http;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
