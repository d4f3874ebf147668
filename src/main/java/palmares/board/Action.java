package palmares.board;

/**
 * One kind of event that a board counts.
 *
 * @param name as events spell it; 1 to 40 lower-case letters, digits and hyphens
 * @param points what one gives; at least 1
 * @param undo whether it can be taken back while its period is open
 * @param maxQuantity how many of it one event may bring; at least 1, and 1 for actions that are not
 *     counted in quantities
 */
public record Action(String name, long points, boolean undo, long maxQuantity) {}
