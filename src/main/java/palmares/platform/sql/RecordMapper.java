package palmares.platform.sql;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.ResolvableType;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.NumberUtils;
import palmares.platform.text.Choice;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import palmares.platform.time.SqlTime;

/**
 * Maps a row to a record, each component from the column of its name: {@code startedAt} from {@code
 * started_at}. A component may be a time, an id, the word of a choice, an array, a stored sentence,
 * or a record of further columns, which is null if all of these are.
 *
 * <p>Spring's mapper knows neither these types nor nested records, and throws an exception for each
 * row to find a column whose name has an underscore.
 */
public final class RecordMapper<T> implements RowMapper<T> {
  private static final ClassValue<RecordMapper<?>> BY_TYPE =
      new ClassValue<>() {
        @Override
        protected RecordMapper<?> computeValue(Class<?> type) {
          return new RecordMapper<>(type);
        }
      };

  private final Constructor<T> constructor;
  private final List<Column> columns;

  private RecordMapper(Class<T> type) {
    constructor = BeanUtils.getResolvableConstructor(type);
    columns = Stream.of(type.getRecordComponents()).map(RecordMapper::column).toList();
  }

  @SuppressWarnings("unchecked") // It is computed for this type.
  public static <T extends Record> RecordMapper<T> of(Class<T> type) {
    return (RecordMapper<T>) BY_TYPE.get(type);
  }

  /** Maps a row to a value of this type: its first column, or a record of several. */
  @SuppressWarnings({"unchecked", "NullAway"}) // Both read this type; as in Spring, null is null.
  static <T> RowMapper<T> rows(Class<T> type) {
    if (type.isRecord() && type.getRecordComponents().length > 1) {
      return (RowMapper<T>) BY_TYPE.get(type);
    }
    return (row, n) -> (T) value(type, row.getObject(1));
  }

  /** Reads two columns: keys and their values, in the order of the rows. */
  public static <K, V> ResultSetExtractor<Map<K, V>> map(Class<K> key, Class<V> value) {
    return rows -> {
      var map = new LinkedHashMap<K, V>();
      while (rows.next()) {
        map.put(
            key.cast(value(key, rows.getObject(1))), value.cast(value(value, rows.getObject(2))));
      }
      return map;
    };
  }

  /** Whether Spring's mapper does not know the type. */
  static boolean reads(Class<?> type) {
    return type.isRecord() || type == Instant.class || Choice.class.isAssignableFrom(type);
  }

  @FunctionalInterface
  private interface Column {
    @Nullable Object read(ResultSet row) throws SQLException;
  }

  private static Column column(RecordComponent component) {
    Class<?> type = component.getType();
    String name = JdbcUtils.convertPropertyNameToUnderscoreName(component.getName());
    if (type == Instant.class) {
      return row -> SqlTime.nullableInstant(row, name);
    }
    if (type == String.class) {
      return row -> row.getString(name);
    }
    if (type == LocalDate.class) {
      return row -> row.getObject(name, LocalDate.class);
    }
    if (Sentence.class.isAssignableFrom(type)) {
      return row -> Said.fromJson(row.getString(name));
    }
    if (Collection.class.isAssignableFrom(type)) {
      Class<?> of = ResolvableType.forMethodReturnType(component.getAccessor()).resolveGeneric(0);
      return of == Sentence.class
          ? row -> Said.listFromJson(row.getString(name))
          : row -> collection(type, Objects.requireNonNull(of), row.getArray(name));
    }
    if (type.isRecord() && type.getRecordComponents().length > 1) {
      return row -> BY_TYPE.get(type).read(row);
    }
    return row -> value(type, row.getObject(name));
  }

  private static @Nullable Object collection(Class<?> type, Class<?> of, @Nullable Array stored)
      throws SQLException {
    if (stored == null) {
      return null;
    }
    List<?> values = Stream.of((Object[]) stored.getArray()).map(one -> value(of, one)).toList();
    return type == Set.class ? Set.copyOf(values) : values;
  }

  private static @Nullable Object value(Class<?> type, @Nullable Object stored) {
    if (stored == null || ClassUtils.isAssignableValue(type, stored)) {
      return stored;
    }
    if (stored instanceof Timestamp time) {
      return time.toInstant();
    }
    if (type.isRecord()) {
      return BY_TYPE.get(type).of(value(type.getRecordComponents()[0].getType(), stored));
    }
    return type.isEnum()
        ? Choice.find((Choice[]) type.getEnumConstants(), stored.toString()).orElseThrow()
        : NumberUtils.convertNumberToTargetClass((Number) stored, number(type));
  }

  @SuppressWarnings("unchecked") // No other type of a component is left.
  private static Class<Number> number(Class<?> type) {
    return (Class<Number>) ClassUtils.resolvePrimitiveIfNecessary(type);
  }

  @Override
  public T mapRow(ResultSet row, int n) throws SQLException {
    return of(values(row));
  }

  private @Nullable T read(ResultSet row) throws SQLException {
    Object[] values = values(row);
    return Stream.of(values).allMatch(Objects::isNull) ? null : of(values);
  }

  private @Nullable Object[] values(ResultSet row) throws SQLException {
    var values = new ArrayList<@Nullable Object>();
    for (Column column : columns) {
      values.add(column.read(row));
    }
    return values.toArray();
  }

  private T of(@Nullable Object... values) {
    return BeanUtils.instantiateClass(constructor, values);
  }
}
