package palmares.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import palmares.client.Confirmation;
import palmares.client.Fact;

/** The methods of beans that have {@link PalmaresListener}. */
final class FactListeners implements SmartInitializingSingleton {
  private final ConfigurableListableBeanFactory beans;
  private final List<Listener> listeners = new ArrayList<>();

  FactListeners(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  private record Listener(String bean, Method method, List<String> types) {
    boolean handles(Fact fact) {
      return types.stream()
          .anyMatch(
              type ->
                  type.endsWith("*")
                      ? fact.type().startsWith(type.substring(0, type.length() - 1))
                      : fact.type().equals(type));
    }
  }

  /**
   * @throws IllegalStateException if a method cannot be called with a fact, or not through the
   *     proxy of its bean
   */
  @Override
  public void afterSingletonsInstantiated() {
    for (String name : beans.getBeanNamesForType(Object.class, false, false)) {
      Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
      if (type != null && AnnotationUtils.isCandidateClass(type, PalmaresListener.class)) {
        add(name, ClassUtils.getUserClass(type));
      }
    }
  }

  private void add(String bean, Class<?> type) {
    Map<Method, PalmaresListener> methods =
        MethodIntrospector.selectMethods(
            type,
            (MethodIntrospector.MetadataLookup<PalmaresListener>)
                method ->
                    AnnotatedElementUtils.findMergedAnnotation(method, PalmaresListener.class));
    methods.forEach(
        (method, annotation) -> {
          Class<?> returned = method.getReturnType();
          if (!Arrays.equals(method.getParameterTypes(), new Class<?>[] {Fact.class})
              || returned != void.class && returned != Confirmation.class) {
            throw new IllegalStateException(
                "@PalmaresListener %s must take one Fact and return nothing or a Confirmation"
                    .formatted(method));
          }
          Class<?> proxy = beans.getType(bean);
          if (proxy != null) {
            AopUtils.selectInvocableMethod(method, proxy);
          }
          listeners.add(new Listener(bean, method, List.of(annotation.value())));
        });
  }

  boolean handle(Fact fact) {
    return listeners.stream().anyMatch(listener -> listener.handles(fact));
  }

  /**
   * Calls all listeners of a fact.
   *
   * @return what one of them said became of the award; null if none did
   * @throws IllegalStateException if several said so
   */
  @Nullable Confirmation call(Fact fact) {
    List<Confirmation> said =
        listeners.stream()
            .filter(listener -> listener.handles(fact))
            .map(listener -> call(listener, fact))
            .filter(Objects::nonNull)
            .toList();
    if (said.size() > 1 || said.stream().anyMatch(one -> !one.id().equals(fact.id()))) {
      throw new IllegalStateException(
          "listeners of %s must return one confirmation at most, with its id: %s"
              .formatted(fact.id(), said));
    }
    return said.isEmpty() ? null : said.get(0);
  }

  private @Nullable Confirmation call(Listener listener, Fact fact) {
    Object bean = beans.getBean(listener.bean());
    Method method = AopUtils.selectInvocableMethod(listener.method(), bean.getClass());
    method.trySetAccessible();
    try {
      return (Confirmation) method.invoke(bean, fact);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw new UndeclaredThrowableException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
