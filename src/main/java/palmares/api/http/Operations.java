package palmares.api.http;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.util.ReflectionUtils.MethodFilter;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.service.annotation.GetExchange;
import palmares.api.roles.Requires;

/** Knows the operations of the API that are more than plain reads: keys may be limited to some. */
@Component
public class Operations {
  private static final MethodFilter MORE_THAN_READS =
      method ->
          id(method) != null
              && !AnnotatedElementUtils.hasAnnotation(method, GetMapping.class)
              && !AnnotatedElementUtils.hasAnnotation(method, GetExchange.class);

  private final Supplier<Set<Method>> methods;

  Operations(ListableBeanFactory beans) {
    this.methods =
        SingletonSupplier.of(
            () ->
                Stream.of(beans.getBeanNamesForAnnotation(Controller.class))
                    .map(beans::getType)
                    .filter(Objects::nonNull)
                    .flatMap(
                        type -> MethodIntrospector.selectMethods(type, MORE_THAN_READS).stream())
                    .collect(Collectors.toUnmodifiableSet()));
  }

  /** Whether a request with this method is a plain read. */
  public static boolean isRead(String method) {
    return method.equals(HttpMethod.GET.name()) || method.equals(HttpMethod.HEAD.name());
  }

  /** Returns the id of the operation that a method declares or implements; null if it is none. */
  public static @Nullable String id(Method method) {
    Operation operation = AnnotatedElementUtils.findMergedAnnotation(method, Operation.class);
    return operation == null ? null : operation.value();
  }

  /** Whether an operation gives people or keys access. */
  public boolean givesAccess(String id) {
    return ids(true).contains(id);
  }

  /** The ids of all operations that keys may be limited to, in alphabetical order. */
  public Set<String> ids() {
    return ids(false);
  }

  private Set<String> ids(boolean givesAccess) {
    return methods.get().stream()
        .filter(
            method -> {
              Requires rule = AnnotatedElementUtils.findMergedAnnotation(method, Requires.class);
              return rule != null && rule.givesAccess() == givesAccess;
            })
        .map(Operations::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
