package palmares.platform.sql;

import java.lang.reflect.Method;
import java.sql.Types;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Component;
import org.springframework.util.ReflectionUtils;
import palmares.platform.text.Choice;
import palmares.platform.time.SqlTime;

/**
 * Runs statements with our types. A parameter may be a time, a choice (its word), a record of one
 * component (such as an id), or a collection of these, which is an array. {@code query(Class)}
 * reads these and, by {@link RecordMapper}, other records.
 *
 * <p>An array of times is one of texts; an array without a value has the type that PostgreSQL
 * expects there.
 */
@Component
public class TypedJdbcClient implements JdbcClient {
  private static final ClassValue<Method> COMPONENT =
      new ClassValue<>() {
        @Override
        protected Method computeValue(Class<?> type) {
          if (type.getRecordComponents().length != 1) {
            throw new IllegalArgumentException(type + " is no parameter of a statement");
          }
          Method accessor = type.getRecordComponents()[0].getAccessor();
          accessor.setAccessible(true); // The record may be private.
          return accessor;
        }
      };

  private final JdbcClient client;

  public TypedJdbcClient(JdbcOperations database) {
    client = JdbcClient.create(database);
  }

  @Override
  public StatementSpec sql(String sql) {
    return new Statement(client.sql(sql));
  }

  private static @Nullable Object bind(@Nullable Object value) {
    if (value instanceof Instant time) {
      return SqlTime.utc(time);
    }
    return value instanceof Collection<?> values ? array(values) : scalar(value);
  }

  private static @Nullable Object scalar(@Nullable Object value) {
    if (value instanceof Choice choice) {
      return choice.word();
    }
    if (value instanceof Record id) {
      return ReflectionUtils.invokeMethod(COMPONENT.get(id.getClass()), id);
    }
    return value instanceof Instant time ? time.toString() : value;
  }

  private static Object array(Collection<?> values) {
    Object[] scalars = values.stream().map(TypedJdbcClient::scalar).toArray();
    Object any = Stream.of(scalars).filter(Objects::nonNull).findFirst().orElse(null);
    if (any == null) {
      String nulls = String.join(",", Collections.nCopies(scalars.length, "null"));
      return new SqlParameterValue(Types.OTHER, "{" + nulls + "}");
    }
    return Arrays.copyOf(
        scalars, scalars.length, any.getClass().arrayType().asSubclass(Object[].class));
  }

  private record Statement(StatementSpec spec) implements StatementSpec {
    @Override
    public StatementSpec withFetchSize(int rows) {
      spec.withFetchSize(rows);
      return this;
    }

    @Override
    public StatementSpec withMaxRows(int rows) {
      spec.withMaxRows(rows);
      return this;
    }

    @Override
    public StatementSpec withQueryTimeout(int seconds) {
      spec.withQueryTimeout(seconds);
      return this;
    }

    @Override
    public StatementSpec param(@Nullable Object value) {
      spec.param(bind(value));
      return this;
    }

    @Override
    public StatementSpec param(int index, @Nullable Object value) {
      spec.param(index, bind(value));
      return this;
    }

    @Override
    public StatementSpec param(int index, @Nullable Object value, int type) {
      spec.param(index, bind(value), type);
      return this;
    }

    @Override
    public StatementSpec param(String name, @Nullable Object value) {
      spec.param(name, bind(value));
      return this;
    }

    @Override
    public StatementSpec param(String name, @Nullable Object value, int type) {
      spec.param(name, bind(value), type);
      return this;
    }

    @Override
    public StatementSpec params(@Nullable Object... values) {
      return params(Arrays.asList(values));
    }

    @Override
    public StatementSpec params(List<?> values) {
      values.forEach(this::param);
      return this;
    }

    @Override
    public StatementSpec params(Map<String, ?> values) {
      values.forEach(this::param);
      return this;
    }

    @Override
    public StatementSpec paramSource(Object bean) {
      spec.paramSource(bean);
      return this;
    }

    @Override
    public StatementSpec paramSource(SqlParameterSource source) {
      spec.paramSource(source);
      return this;
    }

    @Override
    public ResultQuerySpec query() {
      return spec.query();
    }

    @Override
    public <T> MappedQuerySpec<T> query(Class<T> type) {
      return RecordMapper.reads(type) ? spec.query(RecordMapper.rows(type)) : spec.query(type);
    }

    @Override
    public <T> MappedQuerySpec<T> query(RowMapper<T> mapper) {
      return spec.query(mapper);
    }

    @Override
    public void query(RowCallbackHandler handler) {
      spec.query(handler);
    }

    @Override
    public <T extends @Nullable Object> T query(ResultSetExtractor<T> extractor) {
      return spec.query(extractor);
    }

    @Override
    public int update() {
      return spec.update();
    }

    @Override
    public int update(KeyHolder keys) {
      return spec.update(keys);
    }

    @Override
    public int update(KeyHolder keys, String... columns) {
      return spec.update(keys, columns);
    }
  }
}
