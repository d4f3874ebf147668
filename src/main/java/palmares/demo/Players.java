package palmares.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;

/** The members of the demo. Some are active every day, most seldom. */
final class Players {
  private static final List<String> NAMES =
      List.of(
          ("ada alan annie barbara chien-shiung claude dorothy edsger emmy evelyn frances grace"
                  + " hedy jean joan john karen katherine leslie lise lynn margaret marie mary"
                  + " maryam radia rosalind shafi sofia tim vera yuan")
              .split(" "));

  private final Random random;
  private final List<String> members;

  Players(Random random) {
    this.random = random;
    this.members = new ArrayList<>(NAMES);
    Collections.shuffle(members, random);
  }

  /** The ids of all members. */
  static List<String> all() {
    return NAMES;
  }

  /** The nickname of a member: {@code Chien-Shiung}. */
  static String nickname(String member) {
    return Arrays.stream(member.split("-"))
        .map(part -> part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1))
        .collect(Collectors.joining("-"));
  }

  /** A random member; the first of the list far more often than the last. */
  String pick() {
    double position = random.nextDouble() * random.nextDouble();
    return members.get((int) (position * members.size()));
  }
}
