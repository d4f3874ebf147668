package palmares.platform.form;

import org.jspecify.annotations.Nullable;

/**
 * One entry of a map or one item of a list, as read from a file.
 *
 * @param key the entry's name, or the item's number from 1
 * @param value null if the value is invalid; its fault is recorded
 * @param location where the value is in the file
 */
public record Entry<K, V>(K key, @Nullable V value, Location location) {}
