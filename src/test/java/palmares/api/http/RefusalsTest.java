package palmares.api.http;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/** Each exception of the services is a problem of the API, or has a reason why it is none. */
class RefusalsTest {
  /** Exceptions that reach no caller as a refusal, and why. */
  private static final Map<String, String> OTHERS =
      Map.ofEntries(
          entry("ClosingFailed", "a batch stores it with its period"),
          entry("DeliveryFailed", "the outbox stores it with its target"),
          entry("EventsGone", "the relay catches it, and reads what PostgreSQL has"),
          entry("Mismatch", "a closing fails with it, and stores it"),
          entry("NotBegun", "who takes due periods catches it, and takes the next"),
          entry("OutOfOrder", "the fill catches it, and sorts"),
          entry("RecordedByAnother", "the run of a batch ends with it, and another one goes on"),
          entry("RelayStopped", "the seal catches it; elsewhere it is an outage"),
          entry("Stopped", "the fill of slices ends with it, of which another one failed"),
          entry("UnreadableDefinition", "the database or the release is wrong"),
          entry("UnreadableSource", "the command that imports catches it"));

  private static final ExceptionHandlerMethodResolver HANDLERS =
      new ExceptionHandlerMethodResolver(Problems.class);

  @Test
  void everyExceptionOfTheServicesIsAProblemOrHasAReason() {
    Set<String> unmapped =
        new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(
                    "palmares.period",
                    "palmares.live",
                    "palmares.settlement",
                    "palmares.operations")
                .stream()
                .filter(type -> type.isAssignableTo(Throwable.class))
                .map(JavaClass::reflect)
                .filter(type -> !Modifier.isAbstract(type.getModifiers()))
                .filter(type -> !isMapped(type))
                .map(Class::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));
    assertThat(unmapped).isEqualTo(new TreeSet<>(OTHERS.keySet()));
  }

  private static boolean isMapped(Class<?> type) {
    var handler = HANDLERS.resolveMethodByExceptionType(type.asSubclass(Throwable.class));
    return handler != null && !handler.getName().equals("internal");
  }
}
