-- mandelbrot: plot the Mandelbrot set as a portable bitmap.
-- Problem: The Computer Language Benchmarks Game, "mandelbrot". The code is our own.
--
-- One op is the whole picture, `size` × `size` points of the square from -1.5 - i to 0.5 + i; a point is
-- in the set if z = z^2 + c has not left the circle of radius 2 after 50 rounds. Returns the P4 bitmap: a
-- bit a point, rows filled up to whole bytes.

local concat, format = table.concat, string.format
local char = string.char

local ROUNDS, LIMIT = 50, 4

local byte_of = {}
for value = 0, 255 do
  byte_of[value] = char(value)
end

local output = {}

-- 1 if the point cr + ci × i belongs to the set, else 0.
local function belongs(cr, ci)
  local zr, zi, zr2, zi2 = 0, 0, 0, 0
  for _ = 1, ROUNDS do
    zi = 2 * zr * zi + ci
    zr = zr2 - zi2 + cr
    zr2, zi2 = zr * zr, zi * zi
    if zr2 + zi2 > LIMIT then
      return 0
    end
  end
  return 1
end

return function(size)
  local at = 1
  output[1] = format("P4\n%d %d\n", size, size)
  for y = 0, size - 1 do
    local ci = 2 * y / size - 1
    for left = 0, size - 1, 8 do
      local bits = 0
      for x = left, left + 7 do
        bits = 2 * bits
        if x < size then
          bits = bits + belongs(2 * x / size - 1.5, ci)
        end
      end
      at = at + 1
      output[at] = byte_of[bits]
    end
  end
  return concat(output, "", 1, at)
end
