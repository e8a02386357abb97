// Where one machine overtakes the other.

import { intervalOf, type Data } from "../data";
import { shown } from "./numbers";
import { nameOf } from "./names";

export interface Crossing {
  workload: string;
  /** `crossover at 40 threads (95 % CI 35–46)`. */
  text: string;
  /** Who is ahead behind the crossover. */
  winner: string;
  at: number;
  /** Threads and throughput of both. */
  curves: { group: number; points: [number, number][] }[];
}

/** The crossovers of two machines, those with an interval first. */
export function crossings(data: Data, baseline: number, other: number): Crossing[] {
  const all = data.scaling.flatMap((entry) => {
    const changes = entry.crossovers[baseline]?.find((crossover) => crossover.other === other)?.changes ?? [];
    const curves = entry.curves
      .filter(({ group }) => group === baseline || group === other)
      .map(({ group, points }) => ({
        group,
        points: points.map(([threads, numbers]): [number, number] => [threads, intervalOf(numbers).centre]),
      }));
    const [change, ...more] = changes;
    if (!change || more.length > 0 || curves.length < 2) return [];
    const [at, , ends] = change;
    const last = curves.map(({ points }) => points[points.length - 1]?.[1] ?? 0);
    const winner = curves[(last[0] ?? 0) > (last[1] ?? 0) ? 0 : 1]?.group ?? other;
    const threads = (count: number): string => count.toFixed(count < 10 ? 1 : 0);
    const text = ends
      ? `crossover at ${threads(at)} threads (95\u00a0% CI ${threads(ends[0])}–${threads(ends[1])})`
      : `crossover ≈ ${threads(at)} threads (no error estimate)`;
    const isKnown = ends !== null;
    return [
      { workload: shown(entry.workload, 60), text, winner: nameOf(data, winner, 40), at, curves, isKnown },
    ];
  });
  return all.sort((a, b) => Number(b.isKnown) - Number(a.isKnown));
}
