/**
 * Signs callers in, and enforces the rules of endpoints: people with a password or an OpenID
 * Connect provider, programs with API keys, on the API and on the management port. Limits the rate
 * of requests by caller and address.
 */
@NullMarked
package palmares.api.identity;

import org.jspecify.annotations.NullMarked;
