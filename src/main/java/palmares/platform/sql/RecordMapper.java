package palmares.platform.sql;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGobject;
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
import tools.jackson.databind.json.JsonMapper;

/**
 * Maps a row to a record, each component from the column of its name: {@code startedAt} from {@code
 * started_at}. A component may be a time, an id, the word of a choice, an array, what JSON has
 * (such as a sentence), or a record of further columns, which is null if all of these are.
 *
 * <p>Spring's mapper knows neither these types nor nested records, and throws an exception for each
 * row to find a column whose name has an underscore.
 */
public final class RecordMapper<T> implements RowMapper<T> {
  private static final ClassValue<RecordMapper<?>> BY_TYPE =
      new ClassValue<>() {
        @Override
        protected RecordMapper<?> computeValue(Class<?> type) {
          return new RecordMapper<>(type, "");
        }
      };

  /** The constants of a choice by their words. */
  private static final ClassValue<Map<String, Choice>> BY_WORD =
      new ClassValue<>() {
        @Override
        protected Map<String, Choice> computeValue(Class<?> type) {
          return Stream.of((Choice[]) type.getEnumConstants())
              .collect(Collectors.toUnmodifiableMap(Choice::word, constant -> constant));
        }
      };

  /** The columns of this component's record begin with its name, as {@code frozen_points}. */
  @Target(ElementType.RECORD_COMPONENT)
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Prefixed {}

  private final Constructor<T> constructor;
  private final List<Column> columns;

  private RecordMapper(Class<T> type, String prefix) {
    constructor = BeanUtils.getResolvableConstructor(type);
    columns =
        Stream.of(type.getRecordComponents()).map(component -> column(component, prefix)).toList();
  }

  @SuppressWarnings("unchecked") // It is computed for this type.
  public static <T extends Record> RecordMapper<T> of(Class<T> type) {
    return (RecordMapper<T>) BY_TYPE.get(type);
  }

  /** Maps a row to a value of this type: its first column, or a record of several. */
  @SuppressWarnings({"unchecked", "NullAway"}) // Both read this type; as in Spring, null is null.
  static <T> RowMapper<T> rows(Class<T> type) {
    return isOfColumns(type)
        ? (RowMapper<T>) BY_TYPE.get(type)
        : (row, n) -> (T) value(type, type, row.getObject(1));
  }

  /**
   * Reads keys and their values, in the order of the rows. Each is a record, or the first column
   * and the second one.
   */
  public static <K, V> ResultSetExtractor<Map<K, V>> map(Class<K> key, Class<V> value) {
    return rows -> {
      var map = new LinkedHashMap<K, V>();
      while (rows.next()) {
        map.put(key.cast(read(key, rows, 1)), value.cast(read(value, rows, 2)));
      }
      return map;
    };
  }

  /** As {@link #map}, with all the values of a key. */
  public static <K, V> ResultSetExtractor<Map<K, List<V>>> lists(Class<K> key, Class<V> value) {
    return rows -> {
      var map = new LinkedHashMap<K, List<V>>();
      while (rows.next()) {
        map.computeIfAbsent(key.cast(read(key, rows, 1)), k -> new ArrayList<>())
            .add(value.cast(read(value, rows, 2)));
      }
      return map;
    };
  }

  private static @Nullable Object read(Class<?> type, ResultSet row, int column)
      throws SQLException {
    return isOfColumns(type)
        ? BY_TYPE.get(type).read(row)
        : value(type, type, row.getObject(column));
  }

  private static boolean isOfColumns(Class<?> type) {
    return type.isRecord() && type.getRecordComponents().length > 1 && type != Said.class;
  }

  /** Whether Spring's mapper does not know the type. */
  static boolean reads(Class<?> type) {
    return type.isRecord() || type == Instant.class || Choice.class.isAssignableFrom(type);
  }

  @FunctionalInterface
  private interface Column {
    @Nullable Object read(ResultSet row) throws SQLException;
  }

  private static Column column(RecordComponent component, String prefix) {
    Class<?> type = component.getType();
    String name = prefix + JdbcUtils.convertPropertyNameToUnderscoreName(component.getName());
    if (type == Instant.class) {
      return row -> SqlTime.nullableInstant(row, name);
    }
    if (type == String.class) {
      return row -> row.getString(name);
    }
    if (type == LocalDate.class) {
      return row -> row.getObject(name, LocalDate.class);
    }
    if (isOfColumns(type)) {
      return component.isAnnotationPresent(Prefixed.class)
          ? new RecordMapper<>(type, name + "_")::read
          : row -> BY_TYPE.get(type).read(row);
    }
    if (Sentence.class.isAssignableFrom(type)) {
      return row -> Said.fromJson(row.getString(name));
    }
    Type generic = component.getGenericType();
    boolean isList = type == List.class && Sentence.class.isAssignableFrom(element(generic));
    return row -> {
      Object stored = row.getObject(name);
      return stored == null && isList ? List.of() : value(type, generic, stored);
    };
  }

  private static Class<?> element(Type generic) {
    return ResolvableType.forType(generic).getGeneric(0).resolve(Object.class);
  }

  private static Object collection(Class<?> type, Class<?> of, Array stored) throws SQLException {
    var values = new ArrayList<@Nullable Object>();
    for (Object one : (Object[]) stored.getArray()) {
      values.add(value(of, of, one));
    }
    return type == Set.class ? Set.copyOf(values) : Collections.unmodifiableList(values);
  }

  private static @Nullable Object value(Class<?> type, Type generic, @Nullable Object stored)
      throws SQLException {
    if (stored == null || ClassUtils.isAssignableValue(type, stored)) {
      return stored;
    }
    if (stored instanceof Timestamp time) {
      return time.toInstant();
    }
    if (type.isRecord()) {
      RecordComponent of = type.getRecordComponents()[0];
      return BY_TYPE.get(type).of(value(of.getType(), of.getGenericType(), stored));
    }
    if (stored instanceof Array array) {
      return collection(type, element(generic), array);
    }
    if (stored instanceof PGobject json) {
      JsonMapper mapper = JsonMapper.shared();
      return mapper.readValue(
          Objects.requireNonNull(json.getValue()), mapper.constructType(generic));
    }
    if (type.isEnum()) {
      return Optional.ofNullable(BY_WORD.get(type).get(stored.toString())).orElseThrow();
    }
    Class<Number> number = number(type);
    boolean isWhole = number.equals(Long.class) || number.equals(Integer.class);
    Number found = stored instanceof BigDecimal d && isWhole ? d.longValueExact() : (Number) stored;
    return NumberUtils.convertNumberToTargetClass(found, number);
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
