package palmares;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.MessageFormat;
import java.text.NumberFormat;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Formatter;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.modulith.ApplicationModule;
import palmares.demo.UndeclaredUse;

/** The packages are the architecture: who may know whom, and who may know which part outside. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // Its classes are forgotten with it.
class ArchitectureTest {
  private final JavaClasses main =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("palmares");

  private static final int MOST_PARTS = 8;

  /** A package in the glossary, such as {@code live.board}. */
  private static final Pattern WHERE =
      Pattern.compile(
          "`((?:platform|rules|period|live|settlement|operations|api|console|demo|cli)"
              + "(?:\\.[a-z]+)*)`");

  /** A type in the glossary, such as {@code BoardKind}. */
  private static final Pattern TYPE = Pattern.compile("`([A-Z]\\w+)`");

  @Test
  void chaptersUseOnlyWhatTheyDeclare() {
    assertThat(undeclared(main)).isEmpty();
    for (JavaPackage chapter : main.getPackage("palmares").getSubpackages()) {
      assertThat(declaredBy(chapter.getRelativeName()))
          .as(chapter.getName())
          .allSatisfy(other -> assertThat(main.containPackage("palmares." + other)).isTrue());
    }
  }

  @Test
  void aUseThatAChapterDoesNotDeclareIsReported() {
    assertThat(undeclared(new ClassFileImporter().importClasses(UndeclaredUse.class)))
        .containsExactly("palmares.demo.UndeclaredUse uses palmares.api.roles.Role");
  }

  private Set<String> undeclared(JavaClasses types) {
    var undeclared = new TreeSet<String>();
    for (JavaClass type : types) {
      type.getDirectDependenciesFromSelf().stream()
          .map(arrow -> arrow.getTargetClass())
          .filter(target -> target.getPackageName().startsWith("palmares."))
          .filter(target -> !chapter(type).isEmpty() && !chapter(type).equals(chapter(target)))
          .filter(target -> !declaredBy(chapter(type)).contains(chapter(target)))
          .forEach(target -> undeclared.add(type.getName() + " uses " + target.getName()));
    }
    return undeclared;
  }

  private static String chapter(JavaClass type) {
    String[] names = type.getPackageName().split("\\.");
    return names.length == 1 ? "" : names[1];
  }

  private Set<String> declaredBy(String chapter) {
    return Set.of(
        main.getPackage("palmares." + chapter)
            .getAnnotationOfType(ApplicationModule.class)
            .allowedDependencies());
  }

  @Test
  void arrowsAreInNoCycle() {
    slices().matching("palmares.(*)..").should().beFreeOfCycles().check(main);
    slices().matching("palmares.(**)").should().beFreeOfCycles().check(main);
  }

  @Test
  void onlyRedisClientsLiveBoardsAndTheStartOfServersKnowRedis() {
    outside("..platform.redis..", "..live.board..", "..platform.infra..", "..platform.embedded..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.springframework.data.redis..", "io.lettuce..")
        .check(main);
  }

  /** Code shared with the closing would make the same mistake twice. */
  @Test
  void verificationDerivesLinesAndPaymentsWithoutTheCodeOfTheClosing() {
    noClasses()
        .that()
        .resideInAPackage("..settlement.verification..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "..settlement.lines..", "..settlement.reward..", "..settlement.closing..")
        .check(main);
  }

  @Test
  void onlyClosingKnowsBatchAndOnlyTheScheduleKnowsQuartz() {
    outside("..settlement.closing..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.springframework.batch..")
        .check(main);
    outside("..settlement.schedule..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.quartz..")
        .check(main);
  }

  @Test
  void onlyTheCommandLineKnowsItsLibraries() {
    outside("..cli..")
        .and()
        .doNotBelongToAnyOf(Palmares.class)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("picocli..", "me.tongfei..")
        .check(main);
    outside("..platform.output..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("com.github.freva..", "org.dhatim..")
        .check(main);
  }

  @Test
  void everybodyAsksTheOneClock() {
    ArchRule rule =
        noClasses()
            .that()
            .doNotBelongToAnyOf(Palmares.class)
            .and()
            .doNotHaveFullyQualifiedName("palmares.platform.time.ClockSkew") // compares clocks
            .and()
            .resideOutsideOfPackage("..embedded..") // starts servers before there is a clock
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(LocalDate.class, "now")
            .orShould()
            .callMethod(LocalDateTime.class, "now")
            .orShould()
            .callMethod(ZonedDateTime.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(Clock.class, "systemDefaultZone");
    rule.check(main);
  }

  /** The default is that of the machine until the application begins. */
  @Test
  void nobodyUsesTheLocaleOfTheMachine() {
    noClasses()
        .should()
        .callMethod(String.class, "toLowerCase")
        .orShould()
        .callMethod(String.class, "toUpperCase")
        .orShould()
        .callMethod(String.class, "format", String.class, Object[].class)
        .orShould()
        .callMethod(PrintStream.class, "printf", String.class, Object[].class)
        .orShould()
        .callMethod(PrintWriter.class, "printf", String.class, Object[].class)
        .orShould()
        .callMethod(DateTimeFormatter.class, "ofPattern", String.class)
        .orShould()
        .callMethod(NumberFormat.class, "getInstance")
        .orShould()
        .callMethod(NumberFormat.class, "getNumberInstance")
        .orShould()
        .callMethod(Locale.class, "getDefault")
        .orShould()
        .callConstructor(MessageFormat.class, String.class)
        .orShould()
        .callConstructor(DecimalFormat.class, String.class)
        .orShould()
        .callConstructor(Formatter.class)
        .check(main);
  }

  /** A constant that is added between two others must not change what they mean. */
  @Test
  void nobodyComparesConstantsByTheirPosition() {
    noClasses()
        .should()
        .callMethodWhere(target(name("compareTo")).and(target(owner(assignableTo(Enum.class)))))
        .check(main);
  }

  /** A class with more parts does more than one thing; these are the ones that are left. */
  @Test
  void constructorsHaveAtMostEightParts() {
    assertThat(
            main.stream()
                .filter(type -> !type.isRecord())
                .flatMap(type -> type.getConstructors().stream())
                .filter(made -> made.getRawParameterTypes().size() > MOST_PARTS)
                .map(made -> made.getOwner().getSimpleName()))
        .containsExactlyInAnyOrder(
            "Approvals",
            "BoardHalt",
            "BoardReopening",
            "Extensions",
            "HistoryController",
            "Members");
  }

  @Test
  void theGlossaryNamesPackagesAndTypesThatExist() throws IOException {
    String glossary = Files.readString(Path.of("src", "docs", "glossary.md"));
    Set<String> types = main.stream().map(JavaClass::getSimpleName).collect(Collectors.toSet());
    assertThat(WHERE.matcher(glossary).results().map(found -> found.group(1)))
        .isNotEmpty()
        .allSatisfy(where -> assertThat(main.containPackage("palmares." + where)).isTrue());
    assertThat(TYPE.matcher(glossary).results().map(found -> found.group(1)))
        .isNotEmpty()
        .isSubsetOf(types);
  }

  private static GivenClassesConjunction outside(String... packages) {
    return noClasses().that().resideOutsideOfPackages(packages);
  }
}
