-- Gives the sealed keys of an adopted board their names and expiry back, unless its program has
-- written new keys.
-- KEYS: mark, lines, key, sealed, key, sealed, ...
-- Returns nothing, or {'kept'} and changes nothing if there are new keys.
for i = 3, #KEYS, 2 do
  if redis.call('EXISTS', KEYS[i]) == 1 and redis.call('EXISTS', KEYS[i + 1]) == 1 then
    return {'kept'}
  end
end
for i = 3, #KEYS, 2 do
  if redis.call('EXISTS', KEYS[i + 1]) == 1 then
    redis.call('RENAME', KEYS[i + 1], KEYS[i])
    local expires = redis.call('HGET', KEYS[1], KEYS[i])
    if expires then
      redis.call('PEXPIREAT', KEYS[i], expires)
    end
  end
end
redis.call('UNLINK', KEYS[1], KEYS[2])
return {}
