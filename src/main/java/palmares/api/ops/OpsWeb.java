package palmares.api.ops;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;
import palmares.api.http.Idempotency;
import palmares.platform.output.OutputFormat;

/**
 * Reads the conditions of a call and the format that it asks for, answers running tasks with 202
 * and their address, and names the files that a browser saves.
 */
@Component
@RestControllerAdvice(basePackageClasses = OpsWeb.class)
class OpsWeb
    implements WebMvcConfigurer, HandlerMethodArgumentResolver, ResponseBodyAdvice<Object> {
  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(this);
  }

  @Override
  public void configureContentNegotiation(ContentNegotiationConfigurer formats) {
    formats.favorParameter(true).parameterName("format");
    for (OutputFormat format : OutputFormat.values()) {
      formats.mediaType(format.word(), ListingConverter.type(format, false));
    }
  }

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType() == Call.class;
  }

  @Override
  public Object resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest request,
      @Nullable WebDataBinderFactory binders) {
    String dryRun = request.getParameter(CallArguments.DRY_RUN);
    if (dryRun != null && !dryRun.equals("true") && !dryRun.equals("false")) {
      throw Lookup.invalid("'dryRun' is true or false, not '%s'".formatted(dryRun));
    }
    return new Call(
        Boolean.parseBoolean(dryRun),
        request.getHeader(Idempotency.HEADER),
        request.getHeader(HttpHeaders.IF_MATCH));
  }

  @Override
  public boolean supports(
      MethodParameter returnType, Class<? extends HttpMessageConverter<?>> converter) {
    return returnType.getParameterType() == Task.class || converter == ListingConverter.class;
  }

  @Override
  public @Nullable Object beforeBodyWrite(
      @Nullable Object body,
      MethodParameter returnType,
      MediaType type,
      Class<? extends HttpMessageConverter<?>> converter,
      ServerHttpRequest request,
      ServerHttpResponse response) {
    if (body instanceof Task task && task.id() != null && !isRead(request)) {
      response.getHeaders().setLocation(URI.create(TaskResource.PATH + "/" + task.id()));
      response.setStatusCode(task.isOver() ? HttpStatus.OK : HttpStatus.ACCEPTED);
    }
    if (body instanceof Listing && isFile(type)) {
      response.getHeaders().setContentDisposition(file(request.getURI().getPath(), type));
    }
    return body;
  }

  private static boolean isFile(MediaType type) {
    return ListingConverter.format(type) == OutputFormat.XLSX
        || ListingConverter.format(type) == OutputFormat.CSV;
  }

  /** A name such as {@code boards-invites-periods-2026-W47-report.csv}. */
  private static ContentDisposition file(String path, MediaType type) {
    String name = path.replaceFirst("^/api/v1/ops/", "").replaceAll("[^\\w.-]+", "-");
    return ContentDisposition.attachment()
        .filename(name + "." + ListingConverter.format(type).word())
        .build();
  }

  private static boolean isRead(ServerHttpRequest request) {
    return request.getMethod().name().equals("GET");
  }
}
