package palmares.bench.write;

import jakarta.servlet.ServletContext;
import java.io.InputStream;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.context.support.WebApplicationContextUtils;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Lets a server answer at more addresses, by the same means as all that it answers. */
final class BareEndpoints {
  private final RequestMappingHandlerMapping mappings;

  BareEndpoints(ServletContext server) {
    this.mappings =
        WebApplicationContextUtils.getRequiredWebApplicationContext(server)
            .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class);
  }

  /**
   * @param answering has a method {@code answer}, which takes a body
   */
  void add(String address, Object answering) throws NoSuchMethodException {
    mappings.registerMapping(
        RequestMappingInfo.paths(address)
            .methods(RequestMethod.POST)
            .consumes(MediaType.APPLICATION_JSON_VALUE)
            .options(mappings.getBuilderConfiguration())
            .build(),
        answering,
        answering.getClass().getDeclaredMethod("answer", InputStream.class));
  }
}
