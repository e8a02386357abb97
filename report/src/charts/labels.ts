// Names at the ends of lines, moved apart where they would stand on each other.

const LINE_PX = 14;

/** A panel from the pixel of its greatest value to that of zero; on a logarithmic axis these are logarithms over the least value. */
interface Area {
  top: number;
  bottom: number;
  most: number;
}

/** Ends of lines with values whose places on the axis are at least a line apart. */
export function endLabels<T extends { value: number }>(ends: T[], { top, bottom, most }: Area): T[] {
  const pixel = (value: number): number => bottom - (value / most) * (bottom - top);
  const sorted = [...ends].sort((a, b) => b.value - a.value);
  const places: number[] = [];
  for (const end of sorted) places.push(Math.max(pixel(end.value), (places.at(-1) ?? -Infinity) + LINE_PX));
  // Those that would stand below the axis push the others up.
  let limit = bottom;
  for (let place = places.length - 1; place >= 0; place--) {
    places[place] = Math.min(places[place] ?? 0, limit);
    limit = (places[place] ?? 0) - LINE_PX;
  }
  return sorted.map((end, place) => ({
    ...end,
    value: ((bottom - (places[place] ?? 0)) / (bottom - top)) * most,
  }));
}
