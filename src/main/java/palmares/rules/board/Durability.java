package palmares.rules.board;

import palmares.platform.form.Choice;

/** When an event is acknowledged. */
public enum Durability implements Choice {
  /** After Redis has applied it. */
  FAST,
  /** After its commit in PostgreSQL, from where it is relayed to Redis. */
  COMMITTED;
}
