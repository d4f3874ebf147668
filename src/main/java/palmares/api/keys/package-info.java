/** The API keys that writes need: creating, listing and revoking them, and checking requests. */
@NullMarked
package palmares.api.keys;

import org.jspecify.annotations.NullMarked;
