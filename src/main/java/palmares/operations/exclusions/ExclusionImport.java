package palmares.operations.exclusions;

import java.io.Reader;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.live.board.LiveMembers;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionFile;
import palmares.period.exclusion.ExclusionSentences;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.platform.time.Days;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.boardfiles.Catalogue;

/** Makes many exclusions at once: all of them, or none. */
@Component
public class ExclusionImport {
  private static final int MAX_NAMED = 20;

  private final Catalogue catalogue;
  private final Exclusions exclusions;
  private final KnownMembers known;
  private final LiveMembers live;

  ExclusionImport(
      Catalogue catalogue, Exclusions exclusions, KnownMembers known, LiveMembers live) {
    this.catalogue = catalogue;
    this.exclusions = exclusions;
    this.known = known;
    this.live = live;
  }

  /** Says what happens to members without any event, registration or board. */
  public enum Unknown {
    /** They are excluded like others. */
    ALLOWED,
    /** They are errors, since their names may be mistyped. */
    REFUSED
  }

  /**
   * Makes the exclusions of a file.
   *
   * @param csv as {@link ExclusionFile} describes it
   * @param list the list whose entries they are; null for none
   * @throws WrongState if the file has errors; names the line and column of each
   * @throws palmares.platform.redis.RedisUnavailable if a member can only be on a live board, and
   *     Redis does not answer
   */
  public List<Exclusion> exclude(Reader csv, @Nullable String list, Unknown unknown, String by) {
    return exclude(new ExclusionFile(list, this::days).read(csv), unknown, by);
  }

  /**
   * Makes these exclusions.
   *
   * @throws WrongState if a member is unknown, an equal exclusion is in force, or a list does not
   *     exist; names each
   */
  public List<Exclusion> exclude(List<Exclusions.Request> requests, Unknown unknown, String by) {
    if (unknown == Unknown.REFUSED) {
      requireKnown(requests);
    }
    return exclusions.excludeAll(requests, by);
  }

  private Days days(@Nullable BoardId board) {
    if (board == null) {
      return Days.of(ZoneOffset.UTC);
    }
    return catalogue
        .find(board)
        .map(known -> known.calendar().days())
        .orElseThrow(
            () ->
                new Refusal(
                    Problem.INVALID_FIELD,
                    new ExclusionSentences.UnknownBoard(
                        board.value(),
                        DidYouMean.of(
                            board.value(),
                            catalogue.all().stream().map(all -> all.id().value()).toList()))));
  }

  private void requireKnown(List<Exclusions.Request> requests) {
    Set<MemberId> members =
        requests.stream()
            .map(request -> request.terms().member())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    var unknown = new HashSet<>(known.unknown(members));
    unknown.removeIf(live::isOnLiveBoard);
    if (!unknown.isEmpty()) {
      List<Sentence> said =
          requests.stream()
              .filter(request -> unknown.contains(request.terms().member()))
              .map(
                  request ->
                      request.said(
                          new ExclusionSentences.UnknownMember(request.terms().member().value())))
              .toList();
      throw new WrongState(
              new ExclusionSentences.UnknownMembers(ListSentences.lines(said, MAX_NAMED)))
          .then(nevertheless(requests.get(0)));
    }
  }

  /**
   * Whether the member has any event, registration, exclusion, line or live board.
   *
   * @throws palmares.platform.redis.RedisUnavailable as {@link #exclude}
   */
  public boolean isKnown(MemberId member) {
    return known.knows(member) || live.isOnLiveBoard(member);
  }

  private static Next nevertheless(Exclusions.Request first) {
    Terms terms = first.terms();
    Next next =
        terms.list() == null
            ? Next.of("exclude-file")
            : Next.of("add-to-list").with("list", terms.list());
    if (first.line() == null) {
      next = next.with("member", terms.member()).with("level", terms.level());
    }
    return next.with("allowUnknown", true);
  }
}
