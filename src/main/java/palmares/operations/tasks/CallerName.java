package palmares.operations.tasks;

/** Says who calls: the name of a person, of a program's key, or of the user of a shell. */
@FunctionalInterface
public interface CallerName {
  String get();
}
