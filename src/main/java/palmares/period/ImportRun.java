package palmares.period;

/** One run of an import, for as long as it goes on. */
public record ImportRun(long id) {}
