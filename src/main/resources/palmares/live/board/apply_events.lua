-- Applies events to one live board in their order, each atomically. An event is deferred if the
-- board is missing, not open yet, halted or full, or Redis is out of memory; then all later events
-- of its batch are deferred too. The script reads what all events need, decides on one after the
-- other, and then writes the changes: a call takes a few commands for any number of events.
-- Most calls bring one event. So what only some events need costs the others nothing: no unneeded
-- field is read, and no unneeded function or table is created.
-- KEYS: meta, board, ids, given, journal, levels, holders, places, excluded, excluded lines,
--   turn of the batch (if it takes several calls)
-- ARGV: a sequence in MessagePack, with false for a missing value:
--    1 the state that the board must have: 'open', or the state of the rebuild that replays events
--    2 the largest number of events in the journal
--    3 the call's place among the calls of its batch on this board: 'first', 'next', 'last'; 'only'
--      for a whole batch; false for events that do not depend on each other
--   and for each event
--    1 id, 2 member, 3 the fields of the journal between these and the decision,
--    4 quantity, 5 points that it adds, 6 value (false if points add up), 7 second key,
--    8 occurred (microseconds; false for the time of Redis),
--    9 arrived (microseconds; false for the time of Redis, 'any' for an import of any age),
--   10 digest of the event,
--   11 its number in the journal, if it was decided before (false for a new event),
--   12 the number up to which PostgreSQL was searched for its id (0 for none),
--   13 if it is an undo, or counts a limited number of times: action, subject, 1 for an undo, once
--      per ('event', 'subject', 'subject-a-day', 'day', 'period'), maximum per day, maximum per
--      period (0 for no limit), day, its start, its end (microseconds)
-- Returns for each event 'outcome, points given or taken back, total points, microseconds of the
--   event, digest', separated by blanks. The outcomes are those of the journal; or 'duplicate' or
--   'conflict', with the first outcome in place of the digest; or, without a digest, 'missing',
--   'rebuilding', 'torn', 'gap', 'late', 'outside', 'full', 'full-then', 'full-sum', 'exhausted', 'backlog',
--   'waiting', 'out-of-step', 'forgotten' if its id may be trimmed: search PostgreSQL for it.
local call, format, floor = redis.call, string.format, math.floor
local meta, board, ids, given, journal, levels, holders, places, excluded, lines_out, turn =
  unpack(KEYS)
local args, HEAD, EVENT = {cmsgpack.unpack(ARGV[1])}, 3, 13
local expected, max_backlog, place = args[1], args[2], args[3]
local event_count = (#args - HEAD) / EVENT

-- Ids and names contain no control characters, so they contain no separator.
local SEPARATOR, END_OF_EVENT = '\31', '\30'

-- The largest sum that HINCRBY can hold, less the error of a double of that size.
local MAX_SUM = 9223372036854700000

-- The largest whole number that a double holds exactly.
local MAX_EXACT = 9007199254740991

-- The turn exists while no event of the batch is deferred.
local stopped = false
if place == 'first' then
  local begun = redis.pcall('SET', turn, '1', 'PX', '60000')
  if begun.err then
    return begun
  end
elseif place == 'next' then
  stopped = call('EXISTS', turn) == 0
elseif place == 'last' then
  stopped = call('DEL', turn) == 0
end

local held = call('HMGET', meta, 'state', 'rules', 'seq', 'points', 'drained', 'forgotten',
  'exclusions', 'halted', 'lines', 'size')
local state, first_seq, first_sum = held[1], tonumber(held[3]), tonumber(held[4])
local first_drained, forgotten = tonumber(held[5]), tonumber(held[6] or 0)
local there = state and state ~= 'new'
local halted = there and held[8]
if there and state ~= expected then
  halted = string.sub(state, 1, 10) == 'rebuilding' and 'rebuilding'
end
local seq, sum, drained = first_seq, first_sum, first_drained
local unit, wide, dense, limited, starts, ends, closes, horizon, tick, scoring, most, span, most_then,
  fewest, most_events, lowest, now

-- What Redis holds for each event: an earlier decision, and its member's tiebreak (on a wide
-- board), score and exclusion (if any member was ever excluded).
local firsts, ties, scores, exclusions
if there then
  unit, wide, dense, limited, starts, ends, closes, horizon, tick, scoring, most, span, most_then,
    fewest, most_events = cmsgpack.unpack(held[2])
  wide, dense, fewest, lowest = wide == 1, dense == 1, fewest == 1, scoring == 'lowest-best'
  if state == expected and not halted
    and is_torn(held[9], first_seq, held[10], wide, dense, limited == 1, held[7]) then
    redis.pcall('HSET', meta, 'halted', 'torn') -- refused if Redis is full; the next call finds it
    halted = 'torn'
  end
  local time = call('TIME')
  now = time[1] * 1000000 + time[2]
end
if there and event_count == 1 then
  local id, member = args[HEAD + 1], args[HEAD + 2]
  firsts = {call('HGET', ids, id)}
  local line = member
  if wide then
    ties = {call('HGET', places, member)}
    line = (ties[1] or '') .. member
  end
  scores = {call('ZSCORE', board, line)}
  exclusions = held[7] and {call('HGET', excluded, member)}
elseif there then
  local asked, members = {}, {}
  for i = 1, event_count do
    local from = HEAD + (i - 1) * EVENT
    asked[i], members[i] = args[from + 1], args[from + 2]
  end
  firsts = call('HMGET', ids, unpack(asked))
  local lines = members
  if wide then
    ties, lines = call('HMGET', places, unpack(members)), {}
    for i = 1, event_count do
      lines[i] = (ties[i] or '') .. members[i]
    end
  end
  scores = call('ZMSCORE', board, unpack(lines))
  exclusions = held[7] and call('HMGET', excluded, unpack(members))
end

-- What was given for actions that count a limited number of times. An event's limits get the fields
-- of the hash: once_key, for an action that counts once (nil if it counts each time), and counters.
local of_given, once_changes, counts
if there then
  local asked
  for i = 1, event_count do
    local limits = args[HEAD + i * EVENT]
    if limits then
      local member = args[HEAD + (i - 1) * EVENT + 2]
      local action, subject, _, once, most_a_day, most_a_period, day = unpack(limits, 1, 7)
      local done = action .. SEPARATOR .. member .. SEPARATOR
      if once == 'subject' then
        limits.once_key = subject and done .. subject or nil
      elseif once == 'subject-a-day' then
        limits.once_key = subject and done .. subject .. SEPARATOR .. day or nil
      elseif once == 'day' then
        limits.once_key = done .. SEPARATOR .. day
      elseif once == 'period' then
        limits.once_key = done
      end
      asked = asked or {}
      asked[#asked + 1] = limits.once_key
      limits.of_period = SEPARATOR .. action .. SEPARATOR .. member
      if most_a_day > 0 then
        asked[#asked + 1] = limits.of_period .. SEPARATOR .. (day or '')
      end
      if most_a_period > 0 then
        asked[#asked + 1] = limits.of_period
      end
    end
  end
  if asked then
    of_given, once_changes, counts = {}, {}, {}
    for i, value in ipairs(#asked > 0 and call('HMGET', given, unpack(asked)) or asked) do
      of_given[asked[i]] = value
    end
  end
end

-- The present holdings by member: level (false without a line), points, second key, time, index of
-- the member's first event in this call, level in Redis, and whether it has changed. A level is
-- points and second key in one number, of which more is better.
local LEVEL, POINTS, SECOND, TIME, FIRST, BEFORE, MOVED = 1, 2, 3, 4, 5, 6, 7
local holdings = {}

-- The changes to write: holdings, and how many of them are new lines; ids with decisions, also by id; sums of points that a double
-- holds exactly, and the last of them; journal entries, each of events with consecutive numbers,
-- and the last of them.
local moved, new_lines, records, record_of, record_count = {}, 0, {}, {}, 0
local gains, gain = nil, 0
local entries, entry, entry_seq = nil, {}, nil

local answers, timed, micros = {}, nil, nil
for i = 1, event_count do
  local from = HEAD + (i - 1) * EVENT
  local id, member, text, quantity, adds, value, adds_then, occurs, arrives, digest, number,
    searched, limits = unpack(args, from + 1, from + EVENT)
  local occurred, first = occurs or now, firsts and (firsts[i] or record_of[id])
  local answer, holding, level, points, second

  -- Why the event is not applied, and whether later events are deferred with it.
  local refusal, is_deferred, change = nil, false, 0
  if stopped then
    refusal, occurred = 'waiting', 0
  elseif not there then
    refusal, is_deferred, occurred = 'missing', true, 0
  elseif halted == 'torn' then
    refusal, is_deferred, occurred = halted, true, 0
  elseif first then
    local outcome, gave, total, its_micros, its_digest =
      string.match(first, '^(%S+) (%S+) (%S+) (%S+) ?(%S*)$')
    local same = its_digest == '' or its_digest == digest
    refusal = same and 'duplicate' or 'conflict'
    answer = refusal .. ' ' .. gave .. ' ' .. total .. ' ' .. its_micros .. ' ' .. outcome
  elseif halted then
    refusal, is_deferred, occurred = halted, true, 0
  elseif occurred < starts or occurred >= ends
    or (limits and limits[7] and (occurred < limits[8] or occurred >= limits[9])) then
    refusal, is_deferred = 'outside', true
  elseif state ~= expected or (arrives ~= 'any' and closes and (arrives or now) >= closes) then
    refusal = 'late'
  elseif not number and forgotten > searched then
    -- Ids are trimmed only after PostgreSQL has their events, so a search up to there finds them.
    refusal, is_deferred = 'forgotten', true
  else
    holding = holdings[member]
    if not holding then
      local score = scores[i]
      if score and (not wide or ties[i]) then
        score = tonumber(score)
        level = floor(score / unit)
        local rest, above = wide and tonumber(ties[i]) or score - level * unit, floor(level / span)
        local below = level - above * span
        holding = {level, lowest and most - above or above, fewest and most_then - below or below,
          horizon - rest, i, level, false}
      else
        holding = {false, 0, 0, false, i, false, false}
      end
      holdings[member] = holding
    end
    level, points, second = holding[LEVEL], holding[POINTS], holding[SECOND]
    if number and number ~= seq + 1 then
      refusal, is_deferred = 'out-of-step', true
    elseif most_events > 0 and seq + 1 > most_events then
      refusal = 'exhausted'
    end
  end

  if not refusal then
    -- Compute the new holding.
    local at = most_events > 0 and seq + 1 or floor(occurred / tick)
    local outcome, change_then = 'applied', adds_then
    local once_key, count, count_day = nil, quantity, nil
    change = adds
    if limits then
      local most_a_day, most_a_period = limits[5], limits[6]
      once_key, count_day = limits.once_key, limits[7] or ''
      local of_day = limits.of_period .. SEPARATOR .. count_day
      if limits[3] == 1 then
        local gave = once_key and of_given[once_key]
        if gave then
          local its_points, its_then, its_count, its_day =
            string.match(gave, '^(%S+) ?(%S*) ?(%S*) ?(%S*)$')
          outcome, change, change_then = 'undone', -tonumber(its_points), -(tonumber(its_then) or 0)
          count, count_day = -(tonumber(its_count) or 0), its_day
        else
          outcome, change, change_then = 'nothing-to-undo', 0, 0
        end
      elseif once_key and of_given[once_key] then
        outcome, change, change_then = 'repeated', 0, 0
      elseif (most_a_day > 0
          and (of_given[of_day] or 0) + (counts[of_day] or 0) + count > most_a_day)
        or (most_a_period > 0
          and (of_given[limits.of_period] or 0) + (counts[limits.of_period] or 0) + count
            > most_a_period) then
        outcome, change, change_then = 'capped', 0, 0
      end
    end

    local holds = outcome == 'applied' or outcome == 'undone'
    local total, total_then = points, second
    if holds and scoring == 'add' then
      total, total_then = points + change, second + change_then
      if level and most_events == 0 and holding[TIME] > at then
        at = holding[TIME]
      end
    elseif holds then
      total, total_then = value, adds_then
    end
    local level_now = (lowest and most - total or total) * span
      + (fewest and most_then - total_then or total_then)
    if holds and scoring ~= 'add' then
      if level and scoring == 'latest' then
        holds = at >= holding[TIME]
      elseif level then
        holds = level_now > level or (level_now == level and at < holding[TIME])
      end
      if not holds then
        outcome, total, total_then = 'unchanged', points, second
      end
      change = total - points
    end

    if total > most then
      refusal = 'full'
    elseif total_then > most_then then
      refusal, change = 'full-then', 0
    elseif sum + change > MAX_SUM then
      refusal, change = 'full-sum', 0
    elseif not number and seq - drained >= max_backlog then
      refusal, is_deferred, change = 'backlog', true, 0
    else
      seq, sum = seq + 1, sum + change
      if gain + change > MAX_EXACT or gain + change < -MAX_EXACT then
        gains = gains or {}
        gains[#gains + 1], gain = gain, 0
      end
      gain = gain + change
      if holds then
        holding[LEVEL], holding[POINTS] = level_now, total
        holding[SECOND], holding[TIME] = total_then, at
        if not holding[MOVED] then
          holding[MOVED] = true
          moved[#moved + 1] = holding
          if not holding[BEFORE] then
            new_lines = new_lines + 1
          end
        end
      end
      if limits then
        if once_key and (outcome == 'applied' or outcome == 'unchanged') then
          local gave = format('%d %d %d %s', change, change_then, count, count_day)
          of_given[once_key], once_changes[once_key] = gave, gave
        elseif outcome == 'undone' then
          of_given[once_key], once_changes[once_key] = false, false
        end
        if outcome == 'applied' or outcome == 'undone' or outcome == 'unchanged' then
          if limits[5] > 0 then
            local of_day = limits.of_period .. SEPARATOR .. count_day
            counts[of_day] = (counts[of_day] or 0) + count
          end
          if limits[6] > 0 then
            counts[limits.of_period] = (counts[limits.of_period] or 0) + count
          end
        end
      end
      if timed ~= occurred then
        timed, micros = occurred, format('%d', occurred)
      end
      answer = format('%s %d %d %s %s', outcome, change, total, micros, digest)
      record_of[id], record_count = answer, record_count + 2
      records[record_count - 1], records[record_count] = id, answer
      if number then
        drained = seq
      else
        if entry_seq and entry_seq ~= seq - 1 then
          entries = entries or {}
          entries[#entries + 1], entries[#entries + 2] = entry_seq, entry
          entry = {}
        end
        entry[#entry + 1], entry_seq = id .. SEPARATOR .. member .. SEPARATOR .. text .. SEPARATOR
          .. (change_then == 0 and '0' or format('%d', change_then)) .. SEPARATOR .. answer, seq
      end
    end
  end

  if is_deferred then
    stopped = place
    if place == 'first' or place == 'next' then
      call('DEL', turn)
    end
  end
  answers[i] = answer or format('%s %d %d %d', refusal, change, points or 0, occurred)
end
if not there or seq == first_seq then
  return answers
end

-- If Redis is out of memory or cannot write, it refuses the first write of a script or none.
local sum_is_exact = not gains and first_sum <= MAX_EXACT and first_sum + gain <= MAX_EXACT
local begun
if sum_is_exact and new_lines == 0 then
  begun = redis.pcall('HSET', meta, 'seq', format('%d', seq), 'points',
    format('%d', first_sum + gain))
elseif sum_is_exact then
  begun = redis.pcall('HSET', meta, 'seq', format('%d', seq), 'points',
    format('%d', first_sum + gain), 'lines', format('%d', held[9] + new_lines))
else
  begun = redis.pcall('HSET', meta, 'seq', format('%d', seq))
end
if type(begun) == 'table' and begun.err then
  if place == 'first' or place == 'next' then
    call('DEL', turn)
  end
  return begun
end
if not sum_is_exact then
  gains = gains or {}
  gains[#gains + 1] = gain
  for _, exact in ipairs(gains) do
    call('HINCRBY', meta, 'points', format('%d', exact))
  end
  call('HINCRBY', meta, 'lines', format('%d', new_lines))
end
if drained ~= first_drained then
  call('HSET', meta, 'drained', format('%d', drained))
end
call('HSET', ids, unpack(records))

-- The change of what levels, holders, given, excluded and excluded lines hold.
local more = 0

-- Only ranked members hold levels.
if dense then
  local changes = {}
  for _, holding in ipairs(moved) do
    local level, before = holding[LEVEL], holding[BEFORE]
    if level ~= before and not (exclusions and exclusions[holding[FIRST]]) then
      changes[level] = (changes[level] or 0) + 1
      if before then
        changes[before] = (changes[before] or 0) - 1
      end
    end
  end
  for level, change in pairs(changes) do
    local name = format('%d', level)
    local now_held = change == 0 or call('HINCRBY', holders, name, format('%d', change))
    if now_held == 0 then
      more = more - call('HDEL', holders, name) - call('ZREM', levels, name)
    elseif now_held == change then
      more = more + 1 + call('ZADD', levels, name, name)
    end
  end
end

-- On a wide board an entry begins with the tiebreak.
if wide and #moved > 0 then
  local places_now, gone, gone_out = {}, {}, {}
  for _, holding in ipairs(moved) do
    local i = holding[FIRST]
    local member, tie = args[HEAD + (i - 1) * EVENT + 2], format('%016.0f', horizon - holding[TIME])
    if holding[BEFORE] and ties[i] ~= tie then
      gone[#gone + 1] = ties[i] .. member
      if exclusions and exclusions[i] then
        gone_out[#gone_out + 1] = gone[#gone]
      end
    end
    ties[i] = tie
    places_now[#places_now + 1], places_now[#places_now + 2] = member, tie
  end
  if #gone > 0 then
    call('ZREM', board, unpack(gone))
  end
  if #gone_out > 0 then
    more = more - call('ZREM', lines_out, unpack(gone_out))
  end
  call('HSET', places, unpack(places_now))
end

if #moved > 0 then
  local lines, out = {}, nil
  for n = 1, #moved do
    local holding = moved[n]
    local level, i = holding[LEVEL], holding[FIRST]
    local member = args[HEAD + (i - 1) * EVENT + 2]
    local score = format('%d', wide and level or level * unit + (horizon - holding[TIME]))
    local line = wide and ties[i] .. member or member
    lines[2 * n - 1], lines[2 * n] = score, line
    if exclusions and exclusions[i] then
      out = out or {}
      out[#out + 1], out[#out + 2] = score, line
    end
  end
  call('ZADD', board, unpack(lines))
  if out then
    more = more + call('ZADD', lines_out, unpack(out))
  end
end

if once_changes and (next(once_changes) or next(counts)) then
  local set, gone = {}, {}
  for once_key, gave in pairs(once_changes) do
    if gave then
      set[#set + 1], set[#set + 2] = once_key, gave
    else
      gone[#gone + 1] = once_key
    end
  end
  for counter, count in pairs(counts) do
    if of_given[counter] == nil then -- an undo's counter of another day, which was not read
      more = more + 1 - call('HEXISTS', given, counter)
      call('HINCRBY', given, counter, format('%d', count))
    else
      set[#set + 1], set[#set + 2] = counter, format('%d', (of_given[counter] or 0) + count)
    end
  end
  if #set > 0 then
    more = more + call('HSET', given, unpack(set))
  end
  if #gone > 0 then
    more = more - call('HDEL', given, unpack(gone))
  end
end
if more ~= 0 then
  call('HINCRBY', meta, 'size', format('%d', more))
end

-- The microsecond distinguishes entries with one number if Redis went back in time.
if entry_seq then
  for at = 1, entries and #entries or 0, 2 do
    call('XADD', journal, format('%d-%d', entries[at], now), 'events',
      table.concat(entries[at + 1], END_OF_EVENT))
  end
  call('XADD', journal, format('%d-%d', entry_seq, now), 'events',
    table.concat(entry, END_OF_EVENT))
end
return answers
