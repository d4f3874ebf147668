package palmares.api.writer;

import java.time.Instant;
import java.util.List;
import palmares.live.member.Activity.Entry;

/**
 * What a member did lately.
 *
 * @param asOf when it was looked up; deeds of the last moments may still be on their way
 * @param deeds the latest first, one for each board that a deed was for
 */
record ActivityView(String member, Instant asOf, List<Entry> deeds) {}
