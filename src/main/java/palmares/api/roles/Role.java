package palmares.api.roles;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palmares.platform.text.Choice;
import palmares.platform.text.InvalidValue;
import palmares.platform.text.Sentence;

/**
 * Says what a caller may do. Operators, approvers and admins are viewers, too, and viewers are
 * readers; no other role includes another.
 */
public enum Role implements Choice {
  /** Reads everything that operations staff see. */
  VIEWER,
  /** Closes, restarts, excludes, and prepares amendments. */
  OPERATOR,
  /** Approves and rejects. */
  APPROVER,
  /** Manages people and API keys. */
  ADMIN,
  /** Sends events and registers members. */
  WRITER,
  /** Says what became of awards, as the wallet. */
  WALLET,
  /** Reads boards that are not public. */
  READER;

  /** What is wrong with a role. */
  interface RoleSentences {
    record Unknown(String role, List<String> roles) implements Sentence {}
  }

  private static final Set<Role> VIEWERS = EnumSet.of(OPERATOR, APPROVER, ADMIN);

  /**
   * Reads a role.
   *
   * @throws InvalidValue if there is no such role
   */
  public static Role of(String word) {
    return Choice.find(values(), word)
        .orElseThrow(
            () ->
                new InvalidValue(
                    new RoleSentences.Unknown(word, Stream.of(values()).map(Role::word).toList())));
  }

  /**
   * Reads roles.
   *
   * @throws InvalidValue if there is none of a name
   */
  public static Set<Role> of(Collection<String> words) {
    return words.stream().map(Role::of).collect(Collectors.toUnmodifiableSet());
  }

  /** Adds the roles that these include. */
  public static Set<Role> withIncluded(Collection<Role> roles) {
    var all = EnumSet.noneOf(Role.class);
    all.addAll(roles);
    if (all.stream().anyMatch(VIEWERS::contains)) {
      all.add(VIEWER);
    }
    if (all.contains(VIEWER)) {
      all.add(READER);
    }
    return all;
  }

  /** The roles, in the order of their declaration. */
  public static String words(Collection<Role> roles) {
    return String.join(", ", list(roles));
  }

  /** As {@link #words}. */
  public static List<String> list(Collection<Role> roles) {
    return roles.stream().sorted().map(Role::word).toList();
  }
}
