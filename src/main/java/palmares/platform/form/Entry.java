package palmares.platform.form;

import org.jspecify.annotations.Nullable;

/**
 * A line of a table, or an item of a list.
 *
 * @param key its name, or its number from 1
 * @param value null if it is wrong, which is noted
 * @param spot where its value stands
 */
public record Entry<K, V>(K key, @Nullable V value, Location location) {}
