package palmares.operations.report;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Members of an adopted board whose order its scores do not tell.
 *
 * @param kind why: {@code no-time}, {@code equal-time} or {@code coarse-time}
 * @param reachedAt their time as far as it is known; null if it is not
 * @param members how many there are
 * @param firstPlace the best place among them
 * @param first the first of them, by place
 */
public record LossGroup(
    String kind,
    long points,
    @Nullable Instant reachedAt,
    long members,
    long firstPlace,
    List<String> first) {}
