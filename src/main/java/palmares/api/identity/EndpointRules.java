package palmares.api.identity;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import palmares.api.http.FormRequest;
import palmares.api.http.Operations;
import palmares.api.roles.Caller;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;

/**
 * Enforces the rule of each endpoint, and the limits of requests. The rule belongs to the method
 * that Spring MVC is about to call, so that no spelling of a path evades it; a method without a
 * rule is never called.
 */
@Component
public class EndpointRules implements HandlerInterceptor, WebMvcConfigurer {
  private static final String BOARD = "board";
  private static final Pattern BOARD_ID = Pattern.compile(BoardId.REGEX);

  private final Catalogue catalogue;
  private final RequestRates rates;
  private final Map<Method, Optional<Requires>> rules = new ConcurrentHashMap<>();

  EndpointRules(Catalogue catalogue, RequestRates rates) {
    this.catalogue = catalogue;
    this.rates = rates;
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(this);
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (request.getDispatcherType() == DispatcherType.ASYNC
        || request.getMethod().equals(HttpMethod.OPTIONS.name())) {
      return true; // allowed when it began; nothing but the methods of a path
    }
    if (request.getAttribute(SessionCheck.PROBLEM) instanceof Refusal problem) {
      throw problem;
    }
    Caller caller = Caller.find().orElse(null);
    if (caller == null) {
      rates.count(request.getRemoteAddr());
    } else {
      rates.count(caller);
    }
    FormRequest.refusal(request)
        .ifPresent(
            refusal -> {
              throw refusal;
            });
    Method method = handler instanceof HandlerMethod mapped ? mapped.getMethod() : null;
    Requires rule = method == null ? null : rule(method).orElse(null);
    if (method == null || rule == null) {
      throw caller == null
          ? AccessRefusals.unauthorized()
          : forbidden(new AccessSentences.Nobody(request.getRequestURI()));
    }
    require(
        rule,
        caller,
        board(request, rule),
        limited -> requireOperation(limited, request.getMethod(), method, rule));
    return true;
  }

  /** A key that is limited to operations may read what its roles allow, and call these. */
  private static void requireOperation(Caller caller, String verb, Method method, Requires rule) {
    if (Operations.isRead(verb)) {
      return;
    }
    String operation = Operations.id(method);
    if (operation != null && rule.givesAccess()) {
      throw forbidden(new AccessSentences.GivesAccessToAll(caller.name(), operation));
    }
    if (operation == null || !caller.operations().contains(operation)) {
      List<String> own = caller.operations().stream().sorted().toList();
      throw forbidden(
          operation == null
              ? new AccessSentences.OtherOperation(caller.name(), own)
              : new AccessSentences.NotItsOperation(caller.name(), own, operation));
    }
  }

  /**
   * Returns a resource that applies the rules of its methods to calls in this process, for the
   * caller of the thread's request. A method without a rule is refused.
   */
  public <T> T guarded(Class<T> resource, T target) {
    return resource.cast(
        Proxy.newProxyInstance(
            resource.getClassLoader(),
            new Class<?>[] {resource},
            (proxy, method, arguments) -> {
              Requires rule =
                  rule(method)
                      .orElseThrow(() -> forbidden(new AccessSentences.Nobody(method.getName())));
              require(
                  rule,
                  Caller.find().orElse(null),
                  board(method, arguments),
                  limited -> {
                    throw forbidden(new AccessSentences.OperationsOfApi(limited.name()));
                  });
              return AopUtils.invokeJoinpointUsingReflection(target, method, arguments);
            }));
  }

  private static @Nullable String board(Method method, @Nullable Object[] arguments) {
    Parameter[] parameters = method.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].isAnnotationPresent(PathVariable.class)
          && parameters[i].getName().equals(BOARD)) {
        return (String) arguments[i];
      }
    }
    return null;
  }

  private Optional<Requires> rule(Method method) {
    return rules.computeIfAbsent(method, EndpointRules::read);
  }

  /** Returns the rule of a method, or of the interface method that it implements. */
  static Optional<Requires> read(Method method) {
    return Optional.ofNullable(AnnotatedElementUtils.findMergedAnnotation(method, Requires.class));
  }

  /** The board that the path names, or the only one that the parameter does. */
  private static @Nullable String board(HttpServletRequest request, Requires rule) {
    String inPath = board(request);
    if (inPath != null || !rule.boardInQuery()) {
      return inPath;
    }
    String[] named = request.getParameterValues(BOARD);
    return named != null && named.length == 1 ? named[0] : null;
  }

  private static @Nullable String board(HttpServletRequest request) {
    return request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
                instanceof Map<?, ?> variables
            && variables.get(BOARD) instanceof String board
        ? board
        : null;
  }

  /**
   * @param ifLimited is called for a key that is limited to operations, and throws if it must not
   *     call this one
   */
  private void require(
      Requires rule, @Nullable Caller caller, @Nullable String board, Consumer<Caller> ifLimited) {
    Role[] roles = rule.value();
    if (roles.length == 0 || (rule.unlessPublic() && isPublic(board))) {
      return;
    }
    if (caller == null) {
      throw AccessRefusals.unauthorized();
    }
    if (caller.mustChangePassword()) {
      throw new Refusal(Problem.PASSWORD_CHANGE_REQUIRED, new AccessSentences.PasswordFirst());
    }
    if (!hasOne(caller, roles)) {
      throw forbidden(
          new AccessSentences.NoRole(
              caller.name(),
              Arrays.stream(roles).map(Role::word).toList(),
              Role.list(caller.roles())));
    }
    if (!caller.boards().isEmpty() && !rule.checksBoards()) {
      requireBoard(caller, board);
    }
    if (!caller.operations().isEmpty() && !rule.checksOperations()) {
      ifLimited.accept(caller);
    }
  }

  private static boolean hasOne(Caller caller, Role[] roles) {
    for (Role role : roles) {
      if (caller.has(role)) {
        return true;
      }
    }
    return false;
  }

  private static void requireBoard(Caller caller, @Nullable String board) {
    if (board == null) {
      throw forbidden(new AccessSentences.OtherBoards(caller.name()));
    }
    if (caller.boards().stream().noneMatch(each -> each.value().equals(board))) {
      throw forbidden(new AccessSentences.NotItsBoard(caller.name(), board));
    }
  }

  private boolean isPublic(@Nullable String board) {
    return board != null
        && BOARD_ID.matcher(board).matches()
        && catalogue.find(new BoardId(board)).filter(Board::isPublic).isPresent();
  }

  private static Refusal forbidden(Sentence said) {
    return new Refusal(Problem.FORBIDDEN, said);
  }
}
