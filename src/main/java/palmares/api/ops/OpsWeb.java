package palmares.api.ops;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.accept.ContentNegotiationStrategy;
import org.springframework.web.accept.HeaderContentNegotiationStrategy;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;
import palmares.api.http.Idempotency;
import palmares.api.http.InputSentences;
import palmares.api.http.Operations;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.output.OutputFormat;
import palmares.platform.text.Choice;
import palmares.platform.text.Fault;

/**
 * Reads the conditions of a call, and the page and the format that it asks for, answers running
 * tasks with 202 and their address, and names the files that a browser saves.
 */
@Component
@RestControllerAdvice(basePackageClasses = OpsWeb.class)
class OpsWeb
    implements WebMvcConfigurer,
        HandlerInterceptor,
        HandlerMethodArgumentResolver,
        ResponseBodyAdvice<Object> {
  private static final String FORMAT = "format";
  private static final ContentNegotiationStrategy ACCEPT = new HeaderContentNegotiationStrategy();

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(this);
  }

  /** The query goes before the header; what has no such format, such as a problem, is JSON. */
  @Override
  public void configureContentNegotiation(ContentNegotiationConfigurer formats) {
    formats.strategies(List.of(OpsWeb::byQuery, ACCEPT));
  }

  private static List<MediaType> byQuery(NativeWebRequest request) {
    return Choice.find(OutputFormat.values(), request.getParameter(FORMAT))
        .map(
            format ->
                List.of(
                    ListingConverter.type(format),
                    MediaType.parseMediaType("application/json;q=0.5"),
                    MediaType.parseMediaType("application/problem+json;q=0.5")))
        .orElse(ContentNegotiationStrategy.MEDIA_TYPE_ALL_LIST);
  }

  @Override
  public void addInterceptors(InterceptorRegistry interceptors) {
    interceptors.addInterceptor(this).addPathPatterns("/api/v1/ops/**");
    interceptors.addInterceptor(new Query()).addPathPatterns("/api/v1/ops/**");
    interceptors
        .addInterceptor(new Types())
        .addPathPatterns("/api/v1/**", "/login")
        .excludePathPatterns("/api/v1/events"); // negotiates nothing
    interceptors.addInterceptor(new Unconditional()).addPathPatterns("/api/v1/**", "/login");
  }

  /** Refuses a parameter that nothing reads, or reads once: {@code ?dryrun=true} is no dry run. */
  private static final class Query implements HandlerInterceptor {
    @Override
    public boolean preHandle(
        HttpServletRequest request, HttpServletResponse response, Object handler) {
      if (!isOptions(request) && handler instanceof HandlerMethod method) {
        Set<String> known = names(method);
        var faults = new ArrayList<Fault>();
        request
            .getParameterMap()
            .forEach(
                (name, values) -> {
                  if (!known.contains(name)) {
                    faults.add(
                        Fault.of(
                            name,
                            new InputSentences.UnknownParameter(
                                name, DidYouMean.of(name, known), List.copyOf(known))));
                  } else if (values.length > 1) {
                    faults.add(
                        Fault.of(name, new InputSentences.RepeatedParameter(name, values.length)));
                  }
                });
        if (!faults.isEmpty()) {
          boolean isUnknown = faults.get(0).said() instanceof InputSentences.UnknownParameter;
          throw new Refusal(isUnknown ? Problem.UNKNOWN_FIELD : Problem.INVALID_FIELD, faults);
        }
      }
      return true;
    }

    private static Set<String> names(HandlerMethod method) {
      var names = new TreeSet<>(Set.of(FORMAT));
      for (MethodParameter parameter : method.getMethodParameters()) {
        if (parameter.hasParameterAnnotation(RequestParam.class)) {
          names.add(parameter.getParameter().getName());
        } else if (parameter.getParameterType() == Call.class) {
          names.add(Call.DRY_RUN);
        } else if (parameter.getParameterType() == PageRequest.class) {
          names.add(PageRequest.COUNT);
          names.add(PageRequest.AFTER);
        }
      }
      return names;
    }
  }

  /** Refuses a request whose answer its caller would not take, before it has an effect. */
  private static final class Types implements HandlerInterceptor {
    @Override
    public boolean preHandle(
        HttpServletRequest request, HttpServletResponse response, Object handler)
        throws HttpMediaTypeNotAcceptableException {
      String type = request.getContentType();
      if (type != null && type.contains("*")) {
        throw new Refusal(Problem.UNSUPPORTED_MEDIA_TYPE, new InputSentences.WildcardType(type));
      }
      boolean isVerb =
          !Operations.isRead(request.getMethod())
              && !isOptions(request)
              && handler instanceof HandlerMethod method
              && !Listing.class.isAssignableFrom(method.getReturnType().getParameterType());
      if (isVerb
          && ACCEPT.resolveMediaTypes(new ServletWebRequest(request, response)).stream()
              .noneMatch(MediaType.APPLICATION_JSON::isCompatibleWith)) {
        throw new HttpMediaTypeNotAcceptableException(List.of(MediaType.APPLICATION_JSON));
      }
      return true;
    }
  }

  /** Refuses a condition that an operation does not compare; it would act on what it should not. */
  private static final class Unconditional implements HandlerInterceptor {
    @Override
    public boolean preHandle(
        HttpServletRequest request, HttpServletResponse response, Object handler) {
      String tag = request.getHeader(HttpHeaders.IF_MATCH);
      if (tag != null
          && !Operations.isRead(request.getMethod())
          && !isOptions(request)
          && handler instanceof HandlerMethod method
          && Stream.of(method.getMethodParameters())
              .noneMatch(parameter -> parameter.getParameterType() == Call.class)) {
        new Call(false, null, tag).requireUnconditional();
      }
      return true;
    }
  }

  /** Such a request is only about the methods of an address. */
  private static boolean isOptions(HttpServletRequest request) {
    return HttpMethod.OPTIONS.matches(request.getMethod());
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    String word = request.getParameter(FORMAT);
    List<String> words = Arrays.stream(OutputFormat.values()).map(OutputFormat::word).toList();
    if (word != null) {
      Lookup.oneOf(FORMAT, words, word);
    }
    return true;
  }

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType() == Call.class
        || parameter.getParameterType() == PageRequest.class;
  }

  @Override
  public Object resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest request,
      @Nullable WebDataBinderFactory binders) {
    if (parameter.getParameterType() == PageRequest.class) {
      return new PageRequest(count(request), request.getParameter(PageRequest.AFTER));
    }
    String dryRun = request.getParameter(Call.DRY_RUN);
    if (dryRun != null) {
      Lookup.oneOf(Call.DRY_RUN, List.of("true", "false"), dryRun);
    }
    String[] tags = request.getHeaderValues(HttpHeaders.IF_MATCH);
    return new Call(
        Boolean.parseBoolean(dryRun),
        Idempotency.key(request),
        tags == null ? null : String.join(",", tags));
  }

  private static @Nullable Integer count(NativeWebRequest request) {
    String count = request.getParameter(PageRequest.COUNT);
    try {
      return count == null ? null : Integer.valueOf(count);
    } catch (NumberFormatException e) {
      throw Lookup.invalid(
          PageRequest.COUNT, new InputSentences.NotANumber(PageRequest.COUNT, count));
    }
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
    boolean isRead = Operations.isRead(request.getMethod().name());
    if (body instanceof Task task && task.id() != null && !isRead) {
      response
          .getHeaders()
          .setLocation(URI.create(prefix(request) + TaskResource.PATH + "/" + task.id()));
      response.setStatusCode(task.isOver() ? HttpStatus.OK : HttpStatus.ACCEPTED);
    }
    if (body instanceof Task dryRun && dryRun.etag() != null) {
      response.getHeaders().setETag(dryRun.etag());
    }
    if (body instanceof Listing && isFile(type)) {
      response.getHeaders().setContentDisposition(file(request.getURI().getPath(), type));
    }
    return body;
  }

  private static String prefix(ServerHttpRequest request) {
    return request instanceof ServletServerHttpRequest servlet
        ? servlet.getServletRequest().getContextPath()
        : "";
  }

  private static boolean isFile(MediaType type) {
    return ListingConverter.format(type) == OutputFormat.XLSX
        || ListingConverter.format(type) == OutputFormat.CSV;
  }

  /** A name such as {@code boards-invites-periods-2026-W47-report.csv}. */
  private static ContentDisposition file(String path, MediaType type) {
    String name = path.replaceFirst("^.*?/api/v1/ops/", "").replaceAll("[^\\w.-]+", "-");
    return ContentDisposition.attachment()
        .filename(name + "." + ListingConverter.format(type).word())
        .build();
  }
}
