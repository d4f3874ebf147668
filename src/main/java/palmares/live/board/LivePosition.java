package palmares.live.board;

/**
 * A position in a live board's order, whoever stands there by now.
 *
 * @param score as Redis spells it
 * @param entry what stands under the score
 */
public record LivePosition(String score, String entry) {}
