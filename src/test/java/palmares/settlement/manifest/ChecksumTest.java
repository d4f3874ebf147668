package palmares.settlement.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.testing.WorldTest;

/** Manifests of years ago were added up the long way: the short one must come to the same. */
@WorldTest
class ChecksumTest {
  @Autowired private JdbcClient jdbc;

  @ParameterizedTest
  @ValueSource(strings = {"", "1|ann", "sorø|\\|émile|42"})
  void aLinesNumberIsTheFirstEightBytesOfItsHash(String line) throws NoSuchAlgorithmException {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(line.getBytes(StandardCharsets.UTF_8));
    assertThat(
            jdbc.sql("select first_of_sha256(:line)")
                .param("line", line)
                .query(Long.class)
                .single())
        .isEqualTo(ByteBuffer.wrap(hash).getLong());
  }

  /** No two lines, no two payments, and no two events are the same bytes. */
  @Test
  void aColumnOfARowIsNeverTakenForAnother() {
    assertThat(
            jdbc.sql(
                    """
                    select count(distinct line_hash(
                      place, rank, points, then_by, arrival, at, member))
                    from (
                      values
                        (1, 1, 5, null, null, null, 'ann'),
                        (1, null, 5, null, null, null, 'ann'),
                        (null, null, 5, null, null, null, 'ann'),
                        (1, 1, 5, 7, null, null, 'ann'),
                        (1, 1, 5, null, 7, null, 'ann'),
                        (1, 1, 5, 7, 7, null, 'ann'),
                        (1, 1, 7, 5, null, null, 'ann'),
                        (1, 1, 7, null, null, null, 'ann'),
                        (1, 1, 5, null, null, timestamptz '2026-11-20Z', 'ann'),
                        (1, 1, 5, null, null, timestamptz '2026-11-20 00:00:00.000001Z', 'ann'),
                        (1, 1, 5, null, null, timestamptz '2000-01-01Z', 'ann'),
                        (1, 1, 5, null, null, null, 'anna'),
                        (2, 1, 5, null, null, null, 'ann')
                    ) line (place, rank, points, then_by, arrival, at, member)
                    """)
                .query(Long.class)
                .single())
        .isEqualTo(13);
    assertThat(
            jdbc.sql(
                    """
                    select count(distinct payment_hash(
                      rule::smallint, purpose::smallint, amount, member))
                    from (
                      values (1, 1, 5, 'ann'), (1, 2, 5, 'ann'), (2, 1, 5, 'ann'), (1, 1, 6, 'ann'),
                        (1, 1, 5, 'bob')
                    ) payment (rule, purpose, amount, member)
                    """)
                .query(Long.class)
                .single())
        .isEqualTo(5);
    assertThat(
            jdbc.sql(
                    """
                    select count(distinct event_hash(row(
                      1, seq, quantity, points, then_by, at::timestamptz, outcome, member, action,
                      id, subject, value::bigint, digest)::event))
                    from (
                      values
                        (1, 1, 5, 0, '2026-1-1', 'applied', 'ann', 'coin', 'e', null, null, null),
                        (2, 1, 5, 0, '2026-1-1', 'applied', 'ann', 'coin', 'e', null, null, null),
                        (1, 5, 1, 0, '2026-1-1', 'applied', 'ann', 'coin', 'e', null, null, null),
                        (1, 1, 0, 5, '2026-1-1', 'applied', 'ann', 'coin', 'e', null, null, null),
                        (1, 1, 5, 0, '2026-1-2', 'applied', 'ann', 'coin', 'e', null, null, null),
                        (1, 1, 5, 0, '2026-1-1', 'undone', 'ann', 'coin', 'e', null, null, null),
                        (1, 1, 5, 0, '2026-1-1', 'applied', 'e', 'coin', 'ann', null, null, null),
                        (1, 1, 5, 0, '2026-1-1', 'applied', 'ann', 'e', 'coin', null, null, null),
                        (1, 1, 5, 0, '2026-1-1', 'applied', 'ann', 'coin', 'e', '-', null, null),
                        (1, 1, 5, 0, '2026-1-1', 'applied', 'ann', 'coin', 'e', '', null, null),
                        (1, 1, 5, 0, '2026-1-1', 'applied', 'ann', 'coin', 'e', '5', null, null),
                        (1, 1, 5, 0, '2026-1-1', 'applied', 'ann', 'coin', 'e', null, 5, null),
                        (1, 1, 5, 0, '2026-1-1', 'applied', 'ann', 'coin', 'e', null, null, '5'),
                        (1, 1, 5, 0, '2026-1-1', 'applied', 'ann', 'coin', 'e', null, null, '-'),
                        (1, 1, 5, 0, '2026-1-1', 'applied', 'nn', 'coin', 'ea', null, null, null)
                    ) event (
                      seq, quantity, points, then_by, at, outcome, member, action, id, subject,
                      value, digest)
                    """)
                .query(Long.class)
                .single())
        .isEqualTo(15);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1969-12-31T23:59:59.999999Z",
        "1970-01-01T00:00:00Z",
        "2026-11-20T10:00:00.000001Z",
        "2099-12-31T23:59:59.999999Z",
        "2100-01-01T00:00:00.000001Z",
        "2500-06-01T00:00:00.123457Z"
      })
  void aTimeIsItsMicroseconds(String time) {
    Instant at = Instant.parse(time);
    assertThat(
            jdbc.sql("select micros(:at)")
                .param("at", at.atOffset(ZoneOffset.UTC))
                .query(Long.class)
                .single())
        .isEqualTo(at.getEpochSecond() * 1_000_000 + at.getNano() / 1_000);
  }

  @Test
  void noMicrosecondIsRoundedAway() {
    assertThat(
            jdbc.sql(
                    """
                    select count(*)
                    from generate_series(0, 4102444799, 41025) second,
                      lateral (
                        select timestamptz '1970-01-01Z' + second * interval '1 second'
                          + (second * 7919 + 999983) % 1000000 * interval '1 microsecond' as at
                      ) time
                    where micros(at) <> (extract(epoch from at) * 1000000)::bigint
                    """)
                .query(Long.class)
                .single())
        .isZero();
  }
}
