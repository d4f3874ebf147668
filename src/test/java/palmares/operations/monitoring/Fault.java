package palmares.operations.monitoring;

import java.util.Locale;

/** The faults that a test injects, and the alert that each raises. */
enum Fault {
  SCHEDULER_DEAD("PalmaresSchedulerDead"),
  ONE_BOARD_FAILING("PalmaresClosingFailed"),
  HELD_PAST_A_TIME("PalmaresPeriodHeld"),
  REDIS_GONE("PalmaresRedisDown"),
  POSTGRESQL_GONE("PalmaresPostgresDown"),
  WEBHOOK_FAILING("PalmaresDeliveryFailing"),
  VERIFICATION_DIFFERS("PalmaresVerificationDiffers"),
  JOURNAL_BACKLOG("PalmaresJournalBacklog"),
  CLOCK_OFF_BY_AN_HOUR("PalmaresClockSkew"),
  DISK_FULL("PalmaresDiskFull"),
  LEASE_OF_A_DEAD_NODE("PalmaresLeaseAbandoned"),
  LATE_EVENTS("PalmaresLateEvents"),
  BUDGET_EXCEEDED("PalmaresBudgetExceeded"),
  SWEEP_STUCK("PalmaresSweepStuck");

  private final String alert;

  Fault(String alert) {
    this.alert = alert;
  }

  String alert() {
    return alert;
  }

  /** As the table in the documentation names it. */
  String words() {
    return name()
        .toLowerCase(Locale.ROOT)
        .replace('_', ' ')
        .replace("redis", "Redis")
        .replace("postgresql", "PostgreSQL");
  }
}
