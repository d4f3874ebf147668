/**
 * What all HTTP endpoints share: problem types, idempotent requests, limits per request and per
 * address, the set-up of Tomcat, and the OpenAPI document.
 */
@NullMarked
package palmares.api.http;

import org.jspecify.annotations.NullMarked;
