#!lua flags=allow-oom
-- Takes keys away from everybody at once, for them to be removed in slices: none is read half gone.
-- One that is still being removed under its doomed name waits for that.
-- KEYS: key, doomed key, key, doomed key, ...
-- Answers {how many of the keys it found}.
local found = 0
for i = 1, #KEYS, 2 do
  if redis.call('EXISTS', KEYS[i]) == 1 then
    found = found + 1
    if redis.call('EXISTS', KEYS[i + 1]) == 0 then
      redis.call('RENAME', KEYS[i], KEYS[i + 1])
      redis.call('PERSIST', KEYS[i + 1])
    end
  end
end
return {tostring(found)}
