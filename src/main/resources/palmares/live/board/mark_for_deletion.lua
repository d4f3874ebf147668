#!lua flags=allow-oom
-- Renames keys that are then deleted in slices, so that nobody reads a partly deleted key. A key is
-- not renamed while an earlier one of its name is pending deletion.
-- KEYS: key, its name pending deletion, key, its name pending deletion, ...
-- Returns the keys that are pending deletion now.
local all_pending = {}
for i = 1, #KEYS, 2 do
  local pending = redis.call('EXISTS', KEYS[i + 1]) == 1
  if not pending and redis.call('EXISTS', KEYS[i]) == 1 then
    redis.call('RENAME', KEYS[i], KEYS[i + 1])
    redis.call('PERSIST', KEYS[i + 1])
    pending = true
  end
  if pending then
    table.insert(all_pending, KEYS[i + 1])
  end
end
return all_pending
