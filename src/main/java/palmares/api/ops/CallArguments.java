package palmares.api.ops;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.service.invoker.HttpRequestValues;
import org.springframework.web.service.invoker.HttpServiceArgumentResolver;
import palmares.api.http.Idempotency;

/** Sends the conditions of a call, and the page that it asks for. */
public final class CallArguments implements HttpServiceArgumentResolver {
  static final String DRY_RUN = "dryRun";
  static final String COUNT = "count";
  static final String AFTER = "after";

  @Override
  public boolean resolve(
      @Nullable Object argument, MethodParameter parameter, HttpRequestValues.Builder request) {
    if (argument instanceof PageRequest page) {
      if (page.count() != null) {
        request.addRequestParameter(COUNT, String.valueOf(page.count()));
      }
      if (page.after() != null) {
        request.addRequestParameter(AFTER, page.after());
      }
      return true;
    }
    if (!(argument instanceof Call call)) {
      return false;
    }
    if (call.dryRun()) {
      request.addRequestParameter(DRY_RUN, "true");
    }
    if (call.key() != null) {
      request.addHeader(Idempotency.HEADER, call.key());
    }
    if (call.ifMatch() != null) {
      request.addHeader(HttpHeaders.IF_MATCH, call.ifMatch());
    }
    return true;
  }
}
