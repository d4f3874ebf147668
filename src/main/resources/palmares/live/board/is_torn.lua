-- The first part of the scripts that rely on all that a live board holds.
-- KEYS: meta, board, ids, given, journal, levels, holders, places, excluded, excluded lines, ...
-- Returns whether the keys hold less or more than the board has counted, in O(1).
--   lines: its members; seq: its events; absent: those of them whose ids it does not keep;
--   size: entries of given, levels, holders, excluded and excluded lines
--   The drain compares the journal.
local function is_torn(lines, seq, absent, size, wide, dense, limited, exclusions)
  local call = redis.call
  if call('ZCARD', KEYS[2]) ~= tonumber(lines) or call('HLEN', KEYS[3]) ~= seq - (absent or 0) then
    return true
  elseif not (wide or dense or limited or exclusions) then
    return false
  elseif wide and call('HLEN', KEYS[8]) ~= tonumber(lines) then
    return true
  end
  local held = limited and call('HLEN', KEYS[4]) or 0
  if dense then
    held = held + call('ZCARD', KEYS[6]) + call('HLEN', KEYS[7])
  end
  if exclusions then
    held = held + call('HLEN', KEYS[9]) + call('ZCARD', KEYS[10])
  end
  return held ~= tonumber(size or 0)
end

