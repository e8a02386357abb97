// Where one machine overtakes the other.

import { intervalOf, type Data } from "../data";
import { shown } from "./numbers";

export interface Crossing {
  workload: string;
  /** In the program's words: who leads up to how many threads, and who from there on. */
  text: string;
  at: number;
  /** Threads and throughput of both. */
  curves: { group: number; points: [number, number][] }[];
}

/** The crossovers of two machines, those with an interval first. */
export function crossings(data: Data, baseline: number, other: number): Crossing[] {
  const all = data.scaling.flatMap((entry) => {
    const crossover = entry.crossovers[baseline]?.find((crossover) => crossover.other === other);
    const curves = entry.curves
      .filter(({ group }) => group === baseline || group === other)
      .map(({ group, points }) => ({
        group,
        points: points.map(([threads, numbers]): [number, number] => [threads, intervalOf(numbers).centre]),
      }));
    const [change, ...more] = crossover?.changes ?? [];
    if (!crossover || !change || more.length > 0 || curves.length < 2) return [];
    const [at, , ends] = change;
    const [workload, text] = [shown(entry.workload, 60), shown(crossover.words, 400)];
    return [{ workload, text, at, curves, isKnown: ends !== null }];
  });
  return all.sort((a, b) => Number(b.isKnown) - Number(a.isKnown));
}
