package palmares.api.http;

import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;
import palmares.platform.text.Fault;

/** Refuses a body that lacks fields which may not be null, and names all of them. */
@RestControllerAdvice
class RequiredFields extends RequestBodyAdviceAdapter {
  @Override
  public boolean supports(
      MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converter) {
    return parameter.getParameterType().isRecord();
  }

  @Override
  public Object afterBodyRead(
      Object body,
      HttpInputMessage message,
      MethodParameter parameter,
      Type type,
      Class<? extends HttpMessageConverter<?>> converter) {
    if (!(body instanceof Record)) {
      return body; // The text null, which is refused as no object.
    }
    List<Fault> missing =
        Stream.of(body.getClass().getRecordComponents())
            .filter(component -> lacks(body, component))
            .map(RecordComponent::getName)
            .map(field -> Fault.of(field, new InputSentences.Missing(field)))
            .toList();
    if (!missing.isEmpty()) {
      throw new ProblemException(Problem.MISSING_FIELD, missing.get(0).said()).at(missing);
    }
    return body;
  }

  private static boolean lacks(Object body, RecordComponent component) {
    ReflectionUtils.makeAccessible(component.getAccessor());
    return !component.getAnnotatedType().isAnnotationPresent(Nullable.class)
        && ReflectionUtils.invokeMethod(component.getAccessor(), body) == null;
  }
}
