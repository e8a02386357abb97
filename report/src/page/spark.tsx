import { type JSX } from "preact";
import { type Theme } from "../charts/chart";
import { type Crossing } from "../words/crossover";

const [WIDTH, HEIGHT, EDGE] = [150, 40, 3];

/** Throughput of two machines against threads, as small as a word, with a dot where one overtakes the other. */
export function Spark({ crossing, theme }: { crossing: Crossing; theme: Theme }): JSX.Element {
  const all = crossing.curves.flatMap(({ points }) => points);
  const [mostThreads, most] = [0, 1].map((place) => Math.max(...all.map((point) => point[place] ?? 0)));
  const x = (threads: number): number =>
    EDGE + (threads / Math.max(mostThreads ?? 1, 1)) * (WIDTH - 2 * EDGE);
  const y = (value: number): number =>
    HEIGHT - EDGE - (value / Math.max(most ?? 1, 1e-9)) * (HEIGHT - 2 * EDGE);
  const at = valueAt(crossing.curves[0]?.points ?? [], crossing.at);
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {crossing.curves.map(({ group, points }, place) => (
        <polyline
          key={group}
          points={points.map(([threads, value]) => `${x(threads)},${y(value)}`).join(" ")}
          fill="none"
          stroke={theme.groups[place] ?? ""}
          stroke-width="1.5"
        />
      ))}
      <circle cx={x(crossing.at)} cy={y(at)} r="3" fill={theme.ink} />
    </svg>
  );
}

/** Between the two points around it. */
function valueAt(points: [number, number][], threads: number): number {
  const next = points.findIndex(([count]) => count >= threads);
  const [a, b] = [points[Math.max(next - 1, 0)], points[next]];
  if (!a || !b || a[0] === b[0]) return b?.[1] ?? 0;
  return a[1] + ((threads - a[0]) / (b[0] - a[0])) * (b[1] - a[1]);
}
