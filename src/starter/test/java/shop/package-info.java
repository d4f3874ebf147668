/** A shop whose orders count on a board, and whose wallet credits what the board awards. */
package shop;
