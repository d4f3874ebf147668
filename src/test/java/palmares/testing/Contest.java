package palmares.testing;

import java.util.List;
import java.util.Map;

/**
 * A small contest with everything in it that money depends on: a tie on the podium, actions that
 * pay by themselves, one of them undone, and somebody who ends with no points.
 */
public final class Contest {
  /** Who is paid what, by member and rule. */
  public static final Map<String, Long> PAID =
      Map.of(
          "ann podium", 1000L,
          "bob podium", 300L,
          "cid podium", 300L,
          "ann each-invite", 40L,
          "bob each-invite", 20L,
          "cid each-invite", 20L);

  private Contest() {}

  public static Rules rules() {
    return Rules.day()
        .with("ranks: competition")
        .with(
            """
            actions:
              like: { points: 1, undo: true }
              invite: { points: 100, undo: true }
            """)
        .with(
            """
            rewards:
              - { rule: podium, ranks: { 1: 1000, 2-3: 300 } }
              - { rule: each-invite, per: invite, credits: 20 }
            """);
  }

  public static List<Fact> facts() {
    Fact taken = Fact.by("dan").does("invite").on("kim");
    Fact like = Fact.by("eve").on("post");
    return List.of(
        Fact.by("ann").does("invite").on("joe"),
        Fact.by("bob").does("invite").on("lea"),
        taken,
        Fact.by("cid").does("invite").on("max"),
        taken.undone(),
        Fact.by("ann").does("invite").on("ned"),
        Fact.by("dan").on("post"),
        like,
        like.undone());
  }
}
