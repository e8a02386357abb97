-- spectral-norm: the largest singular value of an infinite matrix's corner, by the power method.
-- Problem: The Computer Language Benchmarks Game, "spectral-norm" (challenge 3 of the "Hundred-Dollar,
-- Hundred-Digit Challenge"). The code is our own.
--
-- One op is the whole program for the `size` × `size` corner of the matrix with the entries
-- a(i, j) = 1 / ((i + j)(i + j + 1) / 2 + i + 1), i and j from 0: 10 rounds of v = A'A u, u = A'A v.
-- Returns one line, sqrt(u·v / v·v) with nine decimals.

local format = string.format
local sqrt = math.sqrt

local ROUNDS = 10

local u, v, between = {}, {}, {}

local function entry(i, j)
  local diagonal = i + j
  return 1 / (diagonal * (diagonal + 1) / 2 + i + 1)
end

-- to = A from
local function times(size, from, to)
  for i = 0, size - 1 do
    local sum = 0
    for j = 0, size - 1 do
      sum = sum + entry(i, j) * from[j]
    end
    to[i] = sum
  end
end

-- to = A' from
local function transposed_times(size, from, to)
  for i = 0, size - 1 do
    local sum = 0
    for j = 0, size - 1 do
      sum = sum + entry(j, i) * from[j]
    end
    to[i] = sum
  end
end

return function(size)
  for i = 0, size - 1 do
    u[i] = 1
  end
  for _ = 1, ROUNDS do
    times(size, u, between)
    transposed_times(size, between, v)
    times(size, v, between)
    transposed_times(size, between, u)
  end
  local uv, vv = 0, 0
  for i = 0, size - 1 do
    uv = uv + u[i] * v[i]
    vv = vv + v[i] * v[i]
  end
  return format("%0.9f\n", sqrt(uv / vv))
end
