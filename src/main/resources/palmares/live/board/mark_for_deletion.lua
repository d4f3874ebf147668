#!lua flags=allow-oom
-- Takes keys away from everybody at once, for them to be removed in slices: none is read half gone.
-- One that is still being removed under its doomed name waits for that.
-- KEYS: key, doomed key, key, doomed key, ...
-- Answers the doomed keys that are there now.
local doomed = {}
for i = 1, #KEYS, 2 do
  local busy = redis.call('EXISTS', KEYS[i + 1]) == 1
  if not busy and redis.call('EXISTS', KEYS[i]) == 1 then
    redis.call('RENAME', KEYS[i], KEYS[i + 1])
    redis.call('PERSIST', KEYS[i + 1])
    busy = true
  end
  if busy then
    table.insert(doomed, KEYS[i + 1])
  end
end
return doomed
