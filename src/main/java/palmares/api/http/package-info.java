/**
 * What all HTTP endpoints share: problem types, idempotent requests, limits of requests' sizes and
 * times and of connections per address, the set-up of Tomcat, and the OpenAPI document.
 */
@NullMarked
package palmares.api.http;

import org.jspecify.annotations.NullMarked;
